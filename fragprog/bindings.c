/* Origins of parameters: conversion between their numbers and their names. */
#include "fragprog/bindings.h"

#include <string.h>

static const struct fragprog_binding_name names[FRAGPROG_BINDINGS] = {
#define BINDING(id, binding, glsl) [FRAGPROG_BINDING_##id] = {binding, glsl},
#define MATRIX(id, binding, glsl) BINDING(id, binding, glsl)
#include "fragprog/bindings.def"
};

static const char modifiers[4][12] = {"", ".inverse", ".transpose", ".invtrans"};

const struct fragprog_binding_name *fragprog_binding_name(unsigned row) { return &names[row]; }

unsigned fragprog_binding_limit(const char *arb, const char **what)
{
    static const struct {
        char beginning[24], what[34];
        uint8_t limit;
    } rows[] = {
#define INDEX(beginning, limit, what) {beginning, what, limit},
#include "fragprog/bindings.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(arb, rows[i].beginning, strlen(rows[i].beginning)) == 0) {
            if (what)
                *what = rows[i].what;
            return rows[i].limit;
        }
    return 1;
}

bool fragprog_origin_exists(int32_t origin)
{
    if (origin < FRAGPROG_ORIGINS || origin >= FRAGPROG_ORIGIN_DERIVED)
        return origin >= FRAGPROG_ORIGIN_IMMEDIATE;
    if (!fragprog_origin_is_state(origin))
        return (origin >= FRAGPROG_ORIGIN_ENV && origin < FRAGPROG_ORIGIN_ENV + FRAGPROG_MOST_PARAMETERS) ||
            (origin >= FRAGPROG_ORIGIN_PARAMETER &&
             origin < FRAGPROG_ORIGIN_PARAMETER + FRAGPROG_MOST_PARAMETERS);
    const unsigned row = fragprog_origin_row(origin);
    return origin < FRAGPROG_ORIGIN_STATE + (FRAGPROG_BINDINGS << 16) &&
        fragprog_origin_index(origin) < fragprog_binding_limit(names[row].arb, NULL) &&
        (row >= FRAGPROG_BINDING_MODELVIEW || (origin & 15) == 0) && row != FRAGPROG_BINDING_TEXENV_COLOR;
}

void fragprog_print_indexed(struct texenv_text *text, const char *name, unsigned index)
{
    for (; *name; name++)
        if (*name == '#')
            texenv_printf(text, "%u", index);
        else
            texenv_printf(text, "%c", *name);
}

void fragprog_print_origin(struct texenv_text *text, int32_t origin)
{
    if (origin < FRAGPROG_ORIGIN_GLOBAL) {
        texenv_printf(text, "state.texenv[%d].color", (int)origin);
    } else if (origin < FRAGPROG_ORIGIN_LOCAL) {
        texenv_printf(text, "program.env[%d]", (int)origin - FRAGPROG_ORIGIN_GLOBAL);
    } else if (origin < FRAGPROG_ORIGINS) {
        texenv_printf(text, "program.local[%d]", (int)origin - FRAGPROG_ORIGIN_LOCAL);
    } else if (!fragprog_origin_is_state(origin)) {
        const bool local = origin >= FRAGPROG_ORIGIN_PARAMETER;
        texenv_printf(text, "program.%s[%d]", local ? "local" : "env",
                      (int)(origin - (local ? FRAGPROG_ORIGIN_PARAMETER : FRAGPROG_ORIGIN_ENV)));
    } else {
        const unsigned row = fragprog_origin_row(origin);
        fragprog_print_indexed(text, names[row].arb, fragprog_origin_index(origin));
        if (row >= FRAGPROG_BINDING_MODELVIEW)
            texenv_printf(text, "%s.row[%u]", modifiers[fragprog_origin_matrix(origin)],
                          fragprog_origin_matrix_row(origin));
    }
}

/* Matches a name, in which '#' is a number below the limit, at the beginning of the text. Returns its length
 * in the text, or 0 if it does not match. */
static size_t match(const char *text, size_t length, const char *name, unsigned limit, unsigned *index)
{
    size_t n = 0;
    *index = 0;
    for (; *name; name++) {
        if (*name != '#') {
            if (n == length || text[n++] != *name)
                return 0;
            continue;
        }
        const size_t start = n;
        for (; n < length && text[n] >= '0' && text[n] <= '9'; n++) {
            *index = *index * 10 + (unsigned)(text[n] - '0');
            if (*index >= limit)
                return 0;
        }
        if (n == start)
            return 0;
    }
    return n;
}

/* Matches the optional modifier and .row[i] after the name of a matrix, and adds both to *origin. Returns the
 * length. */
static size_t match_row(const char *text, size_t length, int32_t *origin)
{
    for (unsigned m = 4; m-- > 0;) {
        unsigned row, none;
        const size_t n = match(text, length, modifiers[m], 1, &none);
        if (m && !n)
            continue;
        const size_t rest = match(text + n, length - n, ".row[#]", 4, &row);
        if (rest) {
            *origin += (int32_t)(m << 2 | row);
            return n + rest;
        }
    }
    return 0;
}

size_t fragprog_read_origin(int32_t *origin, const char *text, size_t length)
{
    unsigned index;
    size_t n = match(text, length, "program.env[#]", FRAGPROG_MOST_PARAMETERS, &index);
    *origin = FRAGPROG_ORIGIN_ENV + (int32_t)index;
    if (n)
        return n;
    n = match(text, length, "program.local[#]", FRAGPROG_MOST_PARAMETERS, &index);
    *origin = FRAGPROG_ORIGIN_PARAMETER + (int32_t)index;
    if (n)
        return n;
    for (unsigned row = 0; row < FRAGPROG_BINDINGS; row++) {
        n = match(text, length, names[row].arb, fragprog_binding_limit(names[row].arb, NULL), &index);
        if (!n)
            continue;
        *origin = fragprog_origin_of_state(row, index);
        if (row == FRAGPROG_BINDING_TEXENV_COLOR)
            *origin = (int32_t)index;
        if (row < FRAGPROG_BINDING_MODELVIEW)
            return n;
        const size_t rest = match_row(text + n, length - n, origin);
        return rest ? n + rest : 0;
    }
    return 0;
}
