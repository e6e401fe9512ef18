/* Prints programs in GLSL. "GLSL" is the specification of the language version in question. */
#include "fragprog/lang/glsl.h"

static const struct fragprog_glsl_dialect dialects[FRAGPROG_LANGUAGES] = {
    [FRAGPROG_GLSL_110] = {110, false, false, "gl_TexCoord[", "]", "gl_TextureEnvColor", "gl_FragColor",
                           "gl_FogFragCoord"},
    [FRAGPROG_GLSL_120] = {120, false, false, "gl_TexCoord[", "]", "gl_TextureEnvColor", "gl_FragColor",
                           "gl_FogFragCoord"},
    [FRAGPROG_GLSL_330] = {330, false, true, "texcoord", "", "texenv_color", "fragment_color", "fog_coord"},
    [FRAGPROG_GLSL_450] = {450, false, true, "texcoord", "", "texenv_color", "fragment_color", "fog_coord"},
    [FRAGPROG_GLSL_ES_100] = {100, true, true, "texcoord", "", "texenv_color", "gl_FragColor", "fog_coord"},
    [FRAGPROG_GLSL_ES_300] = {300, true, true, "texcoord", "", "texenv_color", "fragment_color", "fog_coord"},
};

static const char *const color_inputs[2][2] = {{"primary_color", "back_color"},
                                               {"secondary_color", "back_secondary_color"}};

unsigned fragprog_glsl_version(unsigned language) { return dialects[language].version; }

void fragprog_glsl_open(struct texenv_text *text, unsigned version)
{
    texenv_printf(text, "#version %u%s\n", version, version == 300 ? " es" : version == 330 ? " core" : "");
}

void fragprog_glsl_name(const struct fragprog_glsl *g, const char *name)
{
    const bool built_in = name[0] == 'g' && name[1] == 'l' && name[2] == '_';
    fragprog_glsl_say(g, built_in ? "" : fragprog_prefix(g->options));
    fragprog_glsl_say(g, name);
}

/* Prints the primary or secondary colour: the input if it is known to be in [0,1], else a clamped variable of
 * that name. */
void fragprog_glsl_color(const struct fragprog_glsl *g, const char *name)
{
    const bool second = name[0] == 's';
    if (!g->d->core)
        fragprog_glsl_say(g, second ? "gl_SecondaryColor" : "gl_Color");
    else if (g->options->pair && !g->options->two_side)
        fragprog_glsl_name(g, color_inputs[second][0]);
    else
        fragprog_glsl_say(g, name);
}

bool fragprog_glsl_is_sprite(const struct fragprog_glsl *g, unsigned set)
{
    return g->d->core && g->options->sprites >> set & 1;
}

/* The name of a value: a word and the unit's number, or in unbounded programs a running number. */
struct name {
    const char *word;
    int number;
};
static struct name name_of(const struct fragprog_glsl *g, unsigned i)
{
    static const char *const words[] = {"", "value", "pair", "color", "unit"};
    const struct fragprog_inst *inst = &g->p->inst[i];
    if (!g->value)
        return (struct name){"v", (int)i};
    if (fragprog_op_is_lookup(inst->op))
        return (struct name){"texel", inst->texture};
    const bool color = i == g->p->result[TEXENV_RGB],
               alpha = i == g->p->result[TEXENV_ALPHA] && g->value[i].size == 1;
    if (color || alpha)
        return (struct name){color ? "color" : "alpha", -1};
    return (struct name){fragprog_op_is_dot(inst->op)        ? "dot"
                             : inst->mask == FRAGPROG_MASK_W ? "alpha"
                                                             : words[g->value[i].size],
                         inst->unit < 0 ? (int)i : inst->unit};
}

bool fragprog_glsl_same_name(const struct fragprog_glsl *g, unsigned i, unsigned j)
{
    const struct name a = name_of(g, i), b = name_of(g, j);
    return a.word == b.word && a.number == b.number;
}

void fragprog_glsl_value_name(const struct fragprog_glsl *g, unsigned i)
{
    const struct name name = name_of(g, i);
    fragprog_glsl_say(g, name.word);
    if (name.number >= 0)
        texenv_printf(g->text, "%d", name.number);
    if (g->value && g->value[i].nth)
        texenv_printf(g->text, "_%u", g->value[i].nth + 1u);
}

/* ---- statements ---- */

static void print_inst(struct fragprog_glsl *g, unsigned i)
{
    struct fragprog_inst inst = g->p->inst[i];
    uint8_t lane[4];
    unsigned n = fragprog_glsl_channels(&inst, lane);
    if (inst.op == FRAGPROG_KIL) {
        fragprog_glsl_kill(g, &inst, lane, n);
        return;
    }
    if (inst.op == FRAGPROG_OUT && g->p->vertex) {
        fragprog_glsl_vertex_output(g, &inst);
        /* 2.14.6 clamps colours in the vertex stage */
        if (g->d->core && inst.texture < FRAGPROG_OUT_FOGCOORD)
            inst.clamp = FRAGPROG_SAT;
    } else if (inst.op == FRAGPROG_OUT) {
        fragprog_glsl_output(g, &inst);
    } else {
        n = fragprog_glsl_size(g, i);
        texenv_printf(g->text, "    %s ", fragprog_glsl_type(n));
        fragprog_glsl_value_name(g, i);
        texenv_printf(g->text, " = ");
    }
    fragprog_glsl_computation(g, &inst, lane, n, FRAGPROG_GLSL_ANY);
    texenv_printf(g->text, ";\n");
}

/* ---- the program ---- */

/* Precision qualifiers of ES. lowp has only 8 bits for [-2,2], which is too few even for samplers; mediump
 * has 10 bits for every power of 2. */
static void print_precision(const struct fragprog_glsl *g, const char *behind)
{
    const unsigned precision = g->options->precision;
    if (g->d->version == 100 && precision == FRAGPROG_PRECISION_BEST)
        texenv_printf(g->text, "%sPRECISION%s", fragprog_prefix(g->options), behind);
    else
        texenv_printf(g->text, precision == FRAGPROG_PRECISION_MEDIUMP ? "mediump%s" : "highp%s", behind);
}

static void print_samplers(struct fragprog_glsl *g, const struct fragprog_reading *r)
{
    for (unsigned u = 0; u < FRAGPROG_MOST_TEXTURES; u++)
        if (r->lookup[u]) {
            if (g->d->version == 450)
                texenv_printf(g->text, "layout(binding = %u) ",
                              g->options->binding + FRAGPROG_BINDING_SAMPLER + u);
            texenv_printf(g->text, "uniform ");
            if (g->d->es)
                print_precision(g, " ");
            texenv_printf(g->text, "sampler%s%s %stexture%u;\n", fragprog_glsl_targets[r->lookup[u]->target],
                          r->lookup[u]->shadow ? "Shadow" : "", fragprog_prefix(g->options), u);
        }
}

/* Prints the alpha test (GL 2.1, 4.1.4) for versions of GL without an alpha test, by the opposite comparison,
 * which discards the fragment. */
static void print_alpha_test(struct fragprog_glsl *g)
{
    static const char *const drops[TEXENV_COMPARES] = {
        [TEXENV_LESS] = ">=",    [TEXENV_EQUAL] = "!=",    [TEXENV_LEQUAL] = ">",
        [TEXENV_GREATER] = "<=", [TEXENV_NOTEQUAL] = "==", [TEXENV_GEQUAL] = "<"};
    const char *drop = drops[g->options->alpha_test];
    if (g->d->core && g->options->alpha_test == TEXENV_NEVER)
        texenv_printf(g->text, "    discard;\n");
    if (g->d->core && drop)
        texenv_printf(g->text, "    if (%s.a %s %salpha_reference)\n        discard;\n", g->result, drop,
                      fragprog_prefix(g->options));
}

/* Prints user clip planes as discards, if the vertex stage cannot clip. They follow the lookups, because the
 * level of detail is undefined after some fragments were discarded (GLSL 4.60, 6.4). */
static void print_clipping(struct fragprog_glsl *g)
{
    for (unsigned n = 0; n < 8 && g->d->es; n++)
        if (g->options->clip_planes >> n & 1)
            texenv_printf(g->text, "    if (%sclip_distance%u < 0.0)\n        discard;\n",
                          fragprog_prefix(g->options), n);
}

/* Prints the uniforms; arrays end with the last element that is read. */
static void print_uniforms(struct fragprog_glsl *g, const struct fragprog_reading *r)
{
    const bool block = g->d->version == 450;
    uint16_t elements[FRAGPROG_UNIFORMS], *env = &elements[FRAGPROG_UNIFORM_PROGRAM_ENV],
                                          *local = &elements[FRAGPROG_UNIFORM_PROGRAM_LOCAL];
    unsigned any = fragprog_glsl_has_state(g);
    fragprog_count_uniforms(elements, r, g->options);
    if (g->p->unbounded) {
        *env = (uint16_t)fragprog_glsl_parameters(g, FRAGPROG_ORIGIN_ENV, *env);
        *local = (uint16_t)fragprog_glsl_parameters(g, FRAGPROG_ORIGIN_PARAMETER, *local);
    }
    for (unsigned u = 0; u < FRAGPROG_UNIFORMS; u++)
        any |= elements[u];
    if (block && any)
        fragprog_open_block(g->text, "fragment_state", g->options);
    for (unsigned u = 0; u < FRAGPROG_UNIFORMS; u++)
        /* Parameters of assembly programs are unlimited, so no offsets are reserved for them. */
        if (elements[u])
            fragprog_print_uniform(g->text, (enum fragprog_uniform)u, elements[u], g->options,
                                   !g->p->unbounded);
    fragprog_glsl_state(g);
    if (block && any)
        texenv_printf(g->text, "};\n");
}

/* Prints the declaration of a colour, and of the colour of back faces. */
static void print_color_input(struct fragprog_glsl *g, const char *in, unsigned location, unsigned size)
{
    for (unsigned side = 0; side < (g->options->two_side ? 2 : 1); side++) {
        fragprog_print_varying(g->text, g->options->flat && g->d->version != 100 ? "flat in" : in,
                               location + side * FRAGPROG_LOCATION_BACK, fragprog_glsl_type(size),
                               g->options);
        texenv_printf(g->text, "%s;\n", color_inputs[location == FRAGPROG_LOCATION_SECONDARY][side]);
    }
}

static void print_inputs(struct fragprog_glsl *g, const struct fragprog_reading *r)
{
    const char *in = g->d->version == 100 ? "varying" : "in", *prefix = fragprog_prefix(g->options);
    if (!g->d->core)
        return;
    if (r->primary)
        print_color_input(g, in, FRAGPROG_LOCATION_PRIMARY, 4);
    if (r->secondary)
        print_color_input(g, in, FRAGPROG_LOCATION_SECONDARY, g->secondary_size);
    for (unsigned n = 0; n < FRAGPROG_MOST_TEXTURES; n++)
        if (r->coords >> n & 1) {
            fragprog_print_varying(g->text, in, FRAGPROG_LOCATION_TEXCOORD + n,
                                   fragprog_glsl_type(g->coord_size[n]), g->options);
            texenv_printf(g->text, "texcoord%u;\n", n);
        }
    if (g->options->fog || r->fog_coord) {
        fragprog_print_varying(g->text, in, FRAGPROG_LOCATION_FOG, "float", g->options);
        texenv_printf(g->text, "fog_coord;\n");
    }
    for (unsigned n = 0; n < 8 && g->d->es; n++)
        if (g->options->clip_planes >> n & 1)
            texenv_printf(g->text, "%s float %sclip_distance%u;\n", in, prefix, n);
    if (g->d->version != 100)
        texenv_printf(g->text, "%sout vec4 %sfragment_color;\n",
                      r->outputs & ~1u || g->d->version == 450 ? "layout(location = 0) " : "", prefix);
    for (unsigned n = 1; g->d->version != 100 && n < FRAGPROG_MOST_TEXTURES; n++)
        if (r->outputs >> n & 1)
            texenv_printf(g->text, "layout(location = %u) out vec4 %sfragment_color%u;\n", n, prefix, n);
}

static void print_header(struct fragprog_glsl *g, const struct fragprog_reading *r)
{
    fragprog_glsl_open(g->text, g->d->version);
    if (r->rect && g->d->version < 140)
        texenv_printf(g->text, "#extension GL_ARB_texture_rectangle : require\n");
    if (r->volume && g->d->version == 100)
        texenv_printf(g->text, "#extension GL_OES_texture_3D : require\n");
    if (r->outputs & 1 && g->d->version == 100)
        texenv_printf(g->text, "#extension GL_EXT_frag_depth : require\n");
    if (r->outputs & ~1u && g->d->version == 100)
        texenv_printf(g->text, "#extension GL_EXT_draw_buffers : require\n");
    if (r->shadow && g->d->version == 100)
        texenv_printf(g->text, "#extension GL_EXT_shadow_samplers : require\n");
    const char *prefix = fragprog_prefix(g->options);
    if (g->d->version == 100 && g->options->precision == FRAGPROG_PRECISION_BEST)
        texenv_printf(g->text,
                      "#ifdef GL_FRAGMENT_PRECISION_HIGH\n#define %sPRECISION highp\n#else\n#define "
                      "%sPRECISION mediump\n#endif\n",
                      prefix, prefix);
    if (g->d->es) {
        texenv_printf(g->text, "precision ");
        print_precision(g, " float;\n");
    }
}

/* Prints the fog factor (GL 2.1, 3.10) for each fragment. If fog uses no fog coordinate, its distance is
 * never negative. */
static void print_fog(struct fragprog_glsl *g)
{
    static const char *const forms[] = {
        [TEXENV_FOG_LINEAR] = "    float fog = clamp(($end - #) * $scale, 0.0, 1.0);\n",
        [TEXENV_FOG_EXP] = "    float fog = min(exp(-$density * #), 1.0);\n",
        [TEXENV_FOG_EXP2] = "    float depth = $density * #;\n"
                            "    float fog = exp(-depth * depth);\n"};
    const bool positive = g->options->fog == TEXENV_FOG_EXP && g->options->pair && !g->options->fog_coord;
    for (const char *c = positive ? "    float fog = exp(-$density * #);\n" : forms[g->options->fog]; *c; c++)
        if (*c == '$')
            fragprog_glsl_name(g, g->d->core ? "fog_" : "gl_Fog.");
        else if (*c == '#')
            fragprog_glsl_name(g, g->d->fog_coord);
        else
            texenv_printf(g->text, "%c", *c);
}

bool fragprog_glsl_is_one_result(const struct fragprog_glsl *g)
{
    const unsigned color = g->p->result[TEXENV_RGB];
    return !g->options->color_sum && !g->options->fog && color == g->p->result[TEXENV_ALPHA] &&
        g->p->inst[color].mask == FRAGPROG_MASK_XYZW;
}

/* Prints the colour with colour sum and fog applied. The operand of fog is clamped (3.9). */
static void print_color(struct fragprog_glsl *g)
{
    const struct fragprog_src color = fragprog_src_value(g->p->result[TEXENV_RGB]),
                              secondary = {.file = FRAGPROG_SECONDARY, .lane = {0, 1, 2, 3}};
    const bool fog = g->options->fog, sum = g->options->color_sum, clamp = sum || (fog && !g->unit_color);
    if (fog) {
        texenv_printf(g->text, "mix(");
        fragprog_glsl_name(g, g->d->core ? "fog_color.rgb, " : "gl_Fog.color.rgb, ");
    }
    texenv_printf(g->text, clamp ? "clamp(" : "");
    fragprog_glsl_lanes(g, &color, fragprog_in_place, 3, sum ? FRAGPROG_GLSL_SUM : FRAGPROG_GLSL_ANY);
    if (sum) {
        texenv_printf(g->text, " + ");
        fragprog_glsl_lanes(g, &secondary, fragprog_in_place, 3, FRAGPROG_GLSL_SUM);
    }
    texenv_printf(g->text, clamp ? ", 0.0, 1.0)" : "");
    texenv_printf(g->text, fog ? ", fog)" : "");
}

static void print_result(struct fragprog_glsl *g)
{
    const struct fragprog_src alpha = fragprog_src_value(g->p->result[TEXENV_ALPHA]);
    if (fragprog_glsl_is_one_result(g)) {
        fragprog_glsl_lanes(g, &alpha, fragprog_in_place, 4, FRAGPROG_GLSL_ANY);
        return;
    }
    texenv_printf(g->text, "vec4(");
    print_color(g);
    texenv_printf(g->text, ", ");
    fragprog_glsl_lanes(g, &alpha, &fragprog_in_place[3], 1, FRAGPROG_GLSL_ANY);
    texenv_printf(g->text, ")");
}

unsigned fragprog_glsl_result_length(const struct fragprog_glsl *g)
{
    struct fragprog_glsl quiet = *g;
    struct texenv_text text;
    texenv_text_init(&text, NULL, 0);
    quiet.text = &text;
    print_result(&quiet);
    return (unsigned)text.length;
}

static void print_vertex(struct fragprog_glsl *g)
{
    fragprog_glsl_vertex_head(g);
    texenv_printf(g->text, "\nvoid main()\n{\n");
    for (unsigned i = 0; i < g->p->ninst; i++)
        if (!(g->p->invariant && i == g->p->result[0]))
            print_inst(g, i);
    fragprog_glsl_vertex_position(g);
    texenv_printf(g->text, "}\n");
}

/* Prints variables for the colours. Fixed function clamps colours before interpolation, but inputs that the
 * user's shaders provide may exceed [0,1]. With two-sided lighting, the rasteriser selects the side
 * (2.14.1). */
static void print_colors(struct fragprog_glsl *g, const struct fragprog_reading *r)
{
    const char *prefix = fragprog_prefix(g->options);
    const bool pair = g->options->pair, two = g->options->two_side;
    for (unsigned second = 0; second < 2; second++) {
        if (!g->d->core || (pair && !two) || !(second ? r->secondary : r->primary))
            continue;
        texenv_printf(g->text, "    %s %s = %s", fragprog_glsl_type(second ? g->secondary_size : 4),
                      second ? "secondary" : "primary", pair ? "" : "clamp(");
        texenv_printf(g->text, two ? "gl_FrontFacing ? %s%s : " : "%s%s", prefix, color_inputs[second][0]);
        if (two)
            texenv_printf(g->text, "%s%s", prefix, color_inputs[second][1]);
        texenv_printf(g->text, pair ? ";\n" : ", 0.0, 1.0);\n");
    }
}

static void print_fragment(struct fragprog_glsl *g, const struct fragprog_reading *r)
{
    const struct fragprog *p = g->p;
    print_header(g, r);
    print_samplers(g, r);
    print_uniforms(g, r);
    print_inputs(g, r);
    texenv_printf(g->text, "\nvoid main()\n{\n");
    print_colors(g, r);
    if (g->options->lower_left) /* t is 1 where t of gl_PointCoord is 0 (3.3) */
        texenv_printf(g->text, "    vec2 point_coord = vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y);\n");
    for (unsigned i = 0; i < p->ninst; i++)
        if (!g->value || !g->value[i].folded)
            print_inst(g, i);
    if (g->options->fog)
        print_fog(g);
    texenv_printf(g->text, "    %s = ", g->result);
    print_result(g);
    texenv_printf(g->text, ";\n");
    print_clipping(g);
    print_alpha_test(g);
    texenv_printf(g->text, "}\n");
}

void fragprog_print_glsl(struct texenv_text *text, struct fragprog *p, const struct fragprog_reading *r,
                         const struct fragprog_language_options *options, void *scratch)
{
    struct fragprog_glsl g = {.text = text, .p = p, .options = options, .d = &dialects[options->language]};
    struct texenv_text result;
    struct fragprog_glsl name = g;
    if (p->vertex) {
        print_vertex(&g);
        return;
    }
    for (unsigned n = 0; n < TEXENV_UNITS; n++)
        g.coord_size[n] = fragprog_glsl_is_sprite(&g, n) ? 2 : g.d->core ? r->coord_size[n] : 4;
    g.secondary_size = g.d->core ? r->secondary_size : 4;
    texenv_text_init(&result, g.result, sizeof g.result);
    name.text = &result;
    fragprog_glsl_name(
        &name, r->outputs & ~1u && (!g.d->core || g.d->version == 100) ? "gl_FragData[0]" : g.d->result);
    g.unit_color = p->inst[p->result[TEXENV_RGB]].clamp == FRAGPROG_SAT;
    if (scratch)
        fragprog_glsl_simplify(p, &g, scratch);
    print_fragment(&g, r);
}
