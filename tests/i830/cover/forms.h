/* A table of the operations of one stage on CURRENT (P) and operands x and y, and their polynomials in P
 * (notes/facts/i830.md 2). */
#ifndef FORMS_H
#define FORMS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct form {
    const char *text; /* in P, x, y and k, the factor of MODULATE_AND_ADD */
    int leaves;       /* number of operands besides P: 0, 1 (x) or 2 (x and y) */
    bool same;        /* symmetric in x and y */
    bool full;        /* undocumented: used at the level `full` only */
    bool dot;         /* reads three channels; a polynomial in P only if these are equal */
};
enum {
    NOT_P,
    P_,
    PX,
    NPX,
    PNP,
    PP,
    NPNP,
    PpX,
    NPpX,
    PpP,
    PpXs,
    NPpXs,
    PpPs,
    NPpNPs,
    PmX,
    NPmX,
    XmP,
    XmNP,
    PmNP,
    NPmP,
    B_PXY,
    B_XPY,
    B_XNPY,
    B_PPY,
    B_PNPY,
    B_PXP,
    B_PXNP,
    B_PPNP,
    B_PNPP,
    B_XPNP,
    M_XYP,
    M_XYNP,
    M_PXY,
    M_NPXY,
    M_PPX,
    M_PNPX,
    M_NPNPX,
    M_PXP,
    M_PXNP,
    M_NPXP,
    M_NPXNP,
    M_PPP,
    M_PPNP,
    M_PNPP,
    M_PNPNP,
    M_NPNPP,
    M_NPNPNP,
    D_PX,
    D_PP,
    FORMS
};
static const struct form forms[FORMS] = {
    [NOT_P] = {"~P", 0, 0, 0},
    [P_] = {"P", 0, 0, 0},
    [PX] = {"P*x", 1, 0, 0},
    [NPX] = {"~P*x", 1, 0, 0},
    [PNP] = {"P*~P", 0, 0, 0},
    [PP] = {"P*P", 0, 0, 0},
    [NPNP] = {"~P*~P", 0, 0, 0},
    [PpX] = {"P+x", 1, 0, 0},
    [NPpX] = {"~P+x", 1, 0, 0},
    [PpP] = {"P+P", 0, 0, 0},
    [PpXs] = {"P+x-.5", 1, 0, 0},
    [NPpXs] = {"~P+x-.5", 1, 0, 0},
    [PpPs] = {"P+P-.5", 0, 0, 0},
    [NPpNPs] = {"~P+~P-.5", 0, 0, 0},
    [PmX] = {"P-x", 1, 0, 0},
    [NPmX] = {"~P-x", 1, 0, 0},
    [XmP] = {"x-P", 1, 0, 0},
    [XmNP] = {"x-~P", 1, 0, 0},
    [PmNP] = {"P-~P", 0, 0, 0},
    [NPmP] = {"~P-P", 0, 0, 0},
    [B_PXY] = {"blend(P,x,y)", 2, 0, 0},
    [B_XPY] = {"blend(x,P,y)", 2, 0, 0},
    [B_XNPY] = {"blend(x,~P,y)", 2, 0, 0},
    [B_PPY] = {"blend(P,P,x)", 1, 0, 0},
    [B_PNPY] = {"blend(P,~P,x)", 1, 0, 0},
    [B_PXP] = {"blend(P,x,P)", 1, 0, 0},
    [B_PXNP] = {"blend(P,x,~P)", 1, 0, 0},
    [B_PPNP] = {"blend(P,P,~P)", 0, 0, 0},
    [B_PNPP] = {"blend(P,~P,P)", 0, 0, 0},
    [B_XPNP] = {"blend(x,P,~P)", 1, 0, 0},
    [M_XYP] = {"kx*y+P", 2, 1, 1},
    [M_XYNP] = {"kx*y+~P", 2, 1, 1},
    [M_PXY] = {"kP*x+y", 2, 0, 1},
    [M_NPXY] = {"k~P*x+y", 2, 0, 1},
    [M_PPX] = {"kP*P+x", 1, 0, 1},
    [M_PNPX] = {"kP*~P+x", 1, 0, 1},
    [M_NPNPX] = {"k~P*~P+x", 1, 0, 1},
    [M_PXP] = {"kP*x+P", 1, 0, 1},
    [M_PXNP] = {"kP*x+~P", 1, 0, 1},
    [M_NPXP] = {"k~P*x+P", 1, 0, 1},
    [M_NPXNP] = {"k~P*x+~P", 1, 0, 1},
    [M_PPP] = {"kP*P+P", 0, 0, 1},
    [M_PPNP] = {"kP*P+~P", 0, 0, 1},
    [M_PNPP] = {"kP*~P+P", 0, 0, 1},
    [M_PNPNP] = {"kP*~P+~P", 0, 0, 1},
    [M_NPNPP] = {"k~P*~P+P", 0, 0, 1},
    [M_NPNPNP] = {"k~P*~P+~P", 0, 0, 1},
    [D_PX] = {"dot(P,x)", 1, 0, 0, 1},
    [D_PP] = {"dot(P,P)", 0, 0, 0, 1},
};

/* Sets the coefficients of a*P*P + b*P + c. k: factor of the product in MODULATE_AND_ADD. */
static inline void coefficients(int form, double k, double x, double y, double *a, double *b, double *c)
{
    *a = 0;
    switch (form) {
    case NOT_P: *b = -1, *c = 1; break;
    case P_: *b = 1, *c = 0; break;
    case PX: *b = x, *c = 0; break;
    case NPX: *b = -x, *c = x; break;
    case PNP: *a = -1, *b = 1, *c = 0; break;
    case PP: *a = 1, *b = 0, *c = 0; break;
    case NPNP: *a = 1, *b = -2, *c = 1; break;
    case PpX: *b = 1, *c = x; break;
    case NPpX: *b = -1, *c = 1 + x; break;
    case PpP: *b = 2, *c = 0; break;
    case PpXs: *b = 1, *c = x - .5; break;
    case NPpXs: *b = -1, *c = .5 + x; break;
    case PpPs: *b = 2, *c = -.5; break;
    case NPpNPs: *b = -2, *c = 1.5; break;
    case PmX: *b = 1, *c = -x; break;
    case NPmX: *b = -1, *c = 1 - x; break;
    case XmP: *b = -1, *c = x; break;
    case XmNP: *b = 1, *c = x - 1; break;
    case PmNP: *b = 2, *c = -1; break;
    case NPmP: *b = -2, *c = 1; break;
    case B_PXY: *b = x - y, *c = y; break;
    case B_XPY: *b = x, *c = (1 - x) * y; break;
    case B_XNPY: *b = -x, *c = x + (1 - x) * y; break;
    case B_PPY: *a = 1, *b = -x, *c = x; break;
    case B_PNPY: *a = -1, *b = 1 - x, *c = x; break;
    case B_PXP: *a = -1, *b = x + 1, *c = 0; break;
    case B_PXNP: *a = 1, *b = x - 2, *c = 1; break;
    case B_PPNP: *a = 2, *b = -2, *c = 1; break;
    case B_PNPP: *a = -2, *b = 2, *c = 0; break;
    case B_XPNP: *b = 2 * x - 1, *c = 1 - x; break;
    case M_XYP: *b = 1, *c = k * x * y; break;
    case M_XYNP: *b = -1, *c = k * x * y + 1; break;
    case M_PXY: *b = k * x, *c = y; break;
    case M_NPXY: *b = -k * x, *c = k * x + y; break;
    case M_PPX: *a = k, *b = 0, *c = x; break;
    case M_PNPX: *a = -k, *b = k, *c = x; break;
    case M_NPNPX: *a = k, *b = -2 * k, *c = k + x; break;
    case M_PXP: *b = k * x + 1, *c = 0; break;
    case M_PXNP: *b = k * x - 1, *c = 1; break;
    case M_NPXP: *b = 1 - k * x, *c = k * x; break;
    case M_NPXNP: *b = -1 - k * x, *c = k * x + 1; break;
    case M_PPP: *a = k, *b = 1, *c = 0; break;
    case M_PPNP: *a = k, *b = -1, *c = 1; break;
    case M_PNPP: *a = -k, *b = k + 1, *c = 0; break;
    case M_PNPNP: *a = -k, *b = k - 1, *c = 1; break;
    case M_NPNPP: *a = k, *b = 1 - 2 * k, *c = k; break;
    case M_NPNPNP: *a = k, *b = -1 - 2 * k, *c = k + 1; break;
    case D_PX: *b = 12 * x - 6, *c = 3 - 6 * x; break;
    case D_PP: *a = 12, *b = -12, *c = 3; break;
    default: abort();
    }
}

#endif
