/* The files of this folder as strings, made by text.cmake: parts of the modules, pages and headers that
 * texenvc writes. */
#ifndef TEXENVC_WEB_H
#define TEXENVC_WEB_H

extern const char web_values_js[], web_glue_js[], web_page_js[], web_page_css[], web_page_html[],
    web_types_d_ts[], web_embed_h[], web_explain_css[];

#endif
