/* Texts of modules, pages and headers: the files of this folder, by text.cmake. */
#ifndef TEXENVC_WEB_H
#define TEXENVC_WEB_H

extern const char web_values_js[], web_glue_js[], web_page_js[], web_page_css[], web_page_html[],
    web_types_d_ts[], web_embed_h[], web_explain_css[];

#endif
