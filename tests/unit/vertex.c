/* Tests the setters of the vertex half against the OpenGL 2.1 specification: accepted values, and errors,
 * which leave the state unchanged. Also tests the canonical state of a draw and its text, a list of words. */
#include "build_state.h"
#include "texenv/vertex.h"

#include <math.h>

static struct texenv te;
static struct texenv_vertex_gl v;

static void start(void)
{
    texenv_init(&te);
    texenv_vertex_init(&v);
}

/* Checks that the call returns this error and that an error leaves the state unchanged. */
#define GIVES(expected, call) \
    do { \
        const struct texenv_vertex_gl before = v; \
        const uint32_t got = (call); \
        CHECK_SAY(got == (expected), "%s gives 0x%x, not 0x%x", #call, got, (unsigned)(expected)); \
        CHECK_SAY(!got || memcmp(&before, &v, sizeof v) == 0, "%s changes the state", #call); \
    } while (0)
#define OK(call) GIVES(0, call)
#define ON(cap) OK(texenv_vertex_enable(&v, &te, cap, true))

/* Returns the text of the canonical state for a draw, or "refused". */
static const char *words(void)
{
    static char data[2048];
    struct texenv_vertex state;
    struct texenv_text text;
    const char *why;
    memset(&state, 0xa5, sizeof state);
    texenv_text_init(&text, data, sizeof data);
    if (texenv_vertex_of(&state, &v, &te, &why)) {
        CHECK(!why);
        texenv_print_vertex(&text, &state);
        struct texenv_vertex again = state;
        texenv_vertex_canonicalise(&again);
        CHECK_SAY(memcmp(&again, &state, sizeof state) == 0, "not canonical: %s", data);
    } else {
        static const struct texenv_vertex zero;
        CHECK(why && *why && memcmp(&state, &zero, sizeof state) == 0);
        texenv_printf(&text, "refused");
    }
    return data;
}
#define WORDS(expected) \
    do { \
        const char *got = words(); \
        CHECK_SAY(strcmp(got, expected) == 0, "'%s', not '%s'", got, expected); \
    } while (0)

/* ---- texture coordinates (2.11.4) ---- */

static void texgen(void)
{
    static const struct {
        uint32_t mode;
        unsigned coordinates; /* number of coordinates (s, t, r, q) that accept this mode */
        const char *word;
    } modes[] = {{GL_OBJECT_LINEAR, 4, "object"},
                 {GL_EYE_LINEAR, 4, "eye"},
                 {GL_SPHERE_MAP, 2, "sphere"},
                 {GL_REFLECTION_MAP, 3, "reflection"},
                 {GL_NORMAL_MAP, 3, "normal"}};
    const float plane[4] = {1, 2, 3, 4};
    start();
    WORDS("");
    ON(GL_TEXTURE_GEN_S);
    ON(GL_TEXTURE_GEN_Q);
    WORDS("texgen0.sq=eye"); /* eye linear is the initial mode */
    for (unsigned m = 0; m < 5; m++)
        for (unsigned c = 0; c < 4; c++) {
            char expected[64];
            start();
            texenv_active_texture(&te, GL_TEXTURE0 + m);
            ON(GL_TEXTURE_GEN_S + c);
            const bool legal = c < modes[m].coordinates;
            GIVES(legal ? 0 : GL_INVALID_ENUM,
                  texenv_tex_gen_f(&v, &te, GL_S + c, GL_TEXTURE_GEN_MODE, (float)modes[m].mode));
            const float value = (float)modes[m].mode;
            GIVES(legal ? 0 : GL_INVALID_ENUM,
                  texenv_tex_gen_fv(&v, &te, GL_S + c, GL_TEXTURE_GEN_MODE, &value));
            snprintf(expected, sizeof expected, "texgen%u.%c=%s", m, "strq"[c],
                     legal ? modes[m].word : "eye");
            WORDS(expected);
        }
    OK(texenv_tex_gen_fv(&v, &te, GL_T, GL_OBJECT_PLANE, plane));
    OK(texenv_tex_gen_fv(&v, &te, GL_Q, GL_EYE_PLANE, plane));
    GIVES(GL_INVALID_ENUM, texenv_tex_gen_f(&v, &te, GL_T, GL_OBJECT_PLANE, 1));
    GIVES(GL_INVALID_ENUM, texenv_tex_gen_f(&v, &te, GL_TEXTURE_GEN_S, GL_TEXTURE_GEN_MODE, GL_EYE_LINEAR));
    GIVES(GL_INVALID_ENUM, texenv_tex_gen_f(&v, &te, GL_S, GL_TEXTURE_GEN_MODE, GL_EYE_PLANE));
    GIVES(GL_INVALID_ENUM, texenv_tex_gen_fv(&v, &te, GL_S, GL_EYE_LINEAR, plane));
    GIVES(GL_INVALID_ENUM, texenv_tex_gen_f(&v, &te, GL_S, GL_TEXTURE_GEN_MODE, -1));
    OK(texenv_tex_gen_f(&v, &te, GL_Q, GL_TEXTURE_GEN_MODE, NAN));
    WORDS("refused");
    OK(texenv_vertex_enable(&v, &te, GL_TEXTURE_GEN_Q, false));
    WORDS("");
    texenv_active_texture(&te, GL_TEXTURE8);
    GIVES(GL_INVALID_OPERATION, texenv_tex_gen_f(&v, &te, GL_S, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP));
    GIVES(GL_INVALID_OPERATION, texenv_vertex_enable(&v, &te, GL_TEXTURE_GEN_R, true));
}

/* ---- lighting (2.14) ---- */

static void lights(void)
{
    const float near_by[4] = {1, 2, 3, 1}, far_away[4] = {1, 2, 3, 0}, unknown[4] = {1, 2, 3, NAN},
                odd[4] = {NAN, NAN, NAN, 0};
    start();
    ON(GL_LIGHT0);
    ON(GL_LIGHT7);
    WORDS(""); /* lighting is disabled */
    texenv_enable(&te, GL_LIGHTING, true);
    WORDS("lighting light0 light7");
    OK(texenv_light_fv(&v, &te, GL_LIGHT7, GL_POSITION, near_by));
    WORDS("lighting light0 light7=positional");
    /* attenuation has no effect on light 0, which is directional */
    OK(texenv_light_f(&v, &te, GL_LIGHT0, GL_LINEAR_ATTENUATION, 1));
    OK(texenv_light_f(&v, &te, GL_LIGHT7, GL_QUADRATIC_ATTENUATION, 1));
    WORDS("lighting light0 light7=positional+attenuated");
    OK(texenv_light_f(&v, &te, GL_LIGHT7, GL_QUADRATIC_ATTENUATION, 0));
    OK(texenv_light_f(&v, &te, GL_LIGHT7, GL_CONSTANT_ATTENUATION, 2));
    WORDS("lighting light0 light7=positional+attenuated");
    OK(texenv_light_f(&v, &te, GL_LIGHT7, GL_CONSTANT_ATTENUATION, 1));
    OK(texenv_light_f(&v, &te, GL_LIGHT0, GL_SPOT_CUTOFF, 90));
    WORDS("lighting light0=spot light7=positional");
    OK(texenv_light_f(&v, &te, GL_LIGHT0, GL_SPOT_CUTOFF, 180));
    OK(texenv_light_fv(&v, &te, GL_LIGHT7, GL_POSITION, far_away));
    WORDS("lighting light0 light7");
    /* only w decides between directional and positional */
    OK(texenv_light_fv(&v, &te, GL_LIGHT7, GL_POSITION, odd));
    WORDS("lighting light0 light7");
    OK(texenv_light_fv(&v, &te, GL_LIGHT7, GL_POSITION, unknown));
    WORDS("refused");
    OK(texenv_vertex_enable(&v, &te, GL_LIGHT7, false));
    WORDS("lighting light0");
    OK(texenv_light_f(&v, &te, GL_LIGHT0, GL_SPOT_CUTOFF, NAN));
    WORDS("refused");
}

static void light_errors(void)
{
    static const struct {
        uint32_t pname;
        float value;
        uint32_t error;
    } rows[] = {{GL_SPOT_CUTOFF, 0, 0},
                {GL_SPOT_CUTOFF, 90, 0},
                {GL_SPOT_CUTOFF, 180, 0},
                {GL_SPOT_CUTOFF, 90.5f, GL_INVALID_VALUE},
                {GL_SPOT_CUTOFF, 179, GL_INVALID_VALUE},
                {GL_SPOT_CUTOFF, -1, GL_INVALID_VALUE},
                {GL_SPOT_CUTOFF, 181, GL_INVALID_VALUE},
                {GL_SPOT_EXPONENT, 128, 0},
                {GL_SPOT_EXPONENT, 129, GL_INVALID_VALUE},
                {GL_SPOT_EXPONENT, -1, GL_INVALID_VALUE},
                {GL_CONSTANT_ATTENUATION, -1, GL_INVALID_VALUE},
                {GL_LINEAR_ATTENUATION, -1, GL_INVALID_VALUE},
                {GL_QUADRATIC_ATTENUATION, -1, GL_INVALID_VALUE},
                {GL_SHININESS, 1, GL_INVALID_ENUM}};
    static const uint32_t vectors[] = {GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_POSITION, GL_SPOT_DIRECTION};
    const float four[4] = {1, 2, 3, 4};
    start();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GIVES(rows[i].error, texenv_light_f(&v, &te, GL_LIGHT3, rows[i].pname, rows[i].value));
        GIVES(rows[i].error, texenv_light_fv(&v, &te, GL_LIGHT3, rows[i].pname, &rows[i].value));
    }
    for (size_t i = 0; i < 5; i++) {
        OK(texenv_light_fv(&v, &te, GL_LIGHT3, vectors[i], four));
        GIVES(GL_INVALID_ENUM, texenv_light_f(&v, &te, GL_LIGHT3, vectors[i], 1));
        GIVES(GL_INVALID_ENUM, texenv_light_fv(&v, &te, GL_LIGHT0 + 8, vectors[i], four));
    }
    GIVES(GL_INVALID_ENUM, texenv_light_f(&v, &te, GL_LIGHT0 - 1, GL_SPOT_CUTOFF, 45));
    texenv_begin(&te);
    GIVES(GL_INVALID_OPERATION, texenv_light_f(&v, &te, GL_LIGHT0, GL_SPOT_CUTOFF, 45));
    GIVES(GL_INVALID_OPERATION, texenv_light_fv(&v, &te, GL_LIGHT0, GL_POSITION, four));
    GIVES(GL_INVALID_OPERATION, texenv_vertex_enable(&v, &te, GL_LIGHT0, true));
    GIVES(GL_INVALID_OPERATION, texenv_vertex_light_model_fv(&v, &te, GL_LIGHT_MODEL_AMBIENT, four));
    GIVES(GL_INVALID_OPERATION, texenv_color_material(&v, &te, GL_FRONT, GL_AMBIENT));
    OK(texenv_material_f(GL_FRONT, GL_SHININESS, 5)); /* scalar call for a scalar parameter (2.6.3) */
}

static void light_model(void)
{
    const float four[4] = {1, 0, 0, 0};
    start();
    texenv_enable(&te, GL_LIGHTING, true);
    OK(texenv_vertex_light_model_f(&v, &te, GL_LIGHT_MODEL_LOCAL_VIEWER, 1));
    OK(texenv_light_model_i(&te, GL_LIGHT_MODEL_COLOR_CONTROL, GL_SEPARATE_SPECULAR_COLOR));
    WORDS("lighting"); /* without a light, specular settings have no effect */
    ON(GL_LIGHT2);
    WORDS("lighting local-viewer separate-specular light2");
    OK(texenv_vertex_light_model_fv(&v, &te, GL_LIGHT_MODEL_TWO_SIDE, four));
    WORDS("lighting two-side local-viewer separate-specular light2");
    OK(texenv_vertex_light_model_f(&v, &te, GL_LIGHT_MODEL_LOCAL_VIEWER, 0));
    WORDS("lighting two-side separate-specular light2");
    OK(texenv_vertex_light_model_fv(&v, &te, GL_LIGHT_MODEL_AMBIENT, four));
    GIVES(GL_INVALID_ENUM, texenv_vertex_light_model_f(&v, &te, GL_LIGHT_MODEL_AMBIENT, 1));
    GIVES(GL_INVALID_ENUM, texenv_vertex_light_model_fv(&v, &te, GL_LIGHTING, four));
    OK(texenv_vertex_light_model_f(&v, &te, GL_LIGHT_MODEL_TWO_SIDE, NAN));
    WORDS("refused");
    texenv_enable(&te, GL_LIGHTING, false);
    WORDS("");
}

static void normals(void)
{
    start();
    ON(GL_NORMALIZE);
    WORDS(""); /* normals are not needed */
    texenv_enable(&te, GL_LIGHTING, true);
    ON(GL_LIGHT0);
    WORDS("lighting normalize light0");
    ON(GL_RESCALE_NORMAL);
    WORDS("lighting normalize light0");
    OK(texenv_vertex_enable(&v, &te, GL_NORMALIZE, false));
    WORDS("lighting rescale light0");
    texenv_enable(&te, GL_LIGHTING, false);
    OK(texenv_tex_gen_f(&v, &te, GL_R, GL_TEXTURE_GEN_MODE, GL_NORMAL_MAP));
    ON(GL_TEXTURE_GEN_R);
    WORDS("rescale texgen0.r=normal");
}

static void materials(void)
{
    static const struct {
        uint32_t mode;
        const char *word;
    } modes[] = {{GL_EMISSION, "emission"},
                 {GL_AMBIENT, "ambient"},
                 {GL_DIFFUSE, "diffuse"},
                 {GL_SPECULAR, "specular"},
                 {GL_AMBIENT_AND_DIFFUSE, "ambient+diffuse"}};
    static const struct {
        uint32_t face;
        const char *one_side, *two_sides;
    } faces[] = {
        {GL_FRONT, "lighting color-material.front=%s", "lighting two-side color-material.front=%s"},
        {GL_BACK, "lighting", "lighting two-side color-material.back=%s"},
        {GL_FRONT_AND_BACK, "lighting color-material.front=%s", "lighting two-side color-material.both=%s"}};
    const float four[4] = {0, 0, 0, 0};
    start();
    texenv_enable(&te, GL_LIGHTING, true);
    WORDS("lighting");
    ON(GL_COLOR_MATERIAL);
    WORDS("lighting color-material.front=ambient+diffuse");
    for (unsigned m = 0; m < 5; m++)
        for (unsigned f = 0; f < 3; f++)
            for (unsigned two = 0; two < 2; two++) {
                char expected[128];
                const char *form = two ? faces[f].two_sides : faces[f].one_side, *slot = strchr(form, '%');
                snprintf(expected, sizeof expected, "%.*s%s", slot ? (int)(slot - form) : (int)strlen(form),
                         form, slot ? modes[m].word : "");
                OK(texenv_color_material(&v, &te, faces[f].face, modes[m].mode));
                OK(texenv_vertex_light_model_f(&v, &te, GL_LIGHT_MODEL_TWO_SIDE, (float)two));
                WORDS(expected);
                OK(texenv_material_fv(faces[f].face, modes[m].mode, four));
                GIVES(GL_INVALID_ENUM, texenv_material_f(faces[f].face, modes[m].mode, 0));
            }
    GIVES(GL_INVALID_ENUM, texenv_color_material(&v, &te, GL_LEFT, GL_AMBIENT));
    GIVES(GL_INVALID_ENUM, texenv_color_material(&v, &te, GL_FRONT, GL_SHININESS));
    OK(texenv_material_f(GL_BACK, GL_SHININESS, 128));
    GIVES(GL_INVALID_VALUE, texenv_material_f(GL_BACK, GL_SHININESS, 128.5f));
    GIVES(GL_INVALID_VALUE, texenv_material_f(GL_BACK, GL_SHININESS, -1));
    GIVES(GL_INVALID_ENUM, texenv_material_f(GL_LEFT, GL_SHININESS, 1));
    GIVES(GL_INVALID_ENUM, texenv_material_fv(GL_LEFT, GL_AMBIENT, four));
    GIVES(GL_INVALID_ENUM, texenv_material_fv(GL_FRONT, GL_POSITION, four));
    OK(texenv_material_fv(GL_FRONT, GL_COLOR_INDEXES, four));
}

static void points(void)
{
    const float none[3] = {1, 0, 0}, some[3] = {1, 0, 0.5f}, half[3] = {0.5f, 0, 0};
    start();
    OK(texenv_point_parameter_fv(&v, &te, GL_POINT_DISTANCE_ATTENUATION, some));
    WORDS("point-attenuation");
    OK(texenv_point_parameter_fv(&v, &te, GL_POINT_DISTANCE_ATTENUATION, none));
    WORDS("");
    OK(texenv_point_parameter_fv(&v, &te, GL_POINT_DISTANCE_ATTENUATION, half));
    WORDS("point-attenuation");
    GIVES(GL_INVALID_ENUM, texenv_point_parameter_f(&v, &te, GL_POINT_DISTANCE_ATTENUATION, 1));
    GIVES(GL_INVALID_ENUM, texenv_point_parameter_f(&v, &te, GL_POINT_SIZE, 1));
    GIVES(GL_INVALID_ENUM, texenv_point_parameter_f(&v, &te, GL_POINT_SPRITE_COORD_ORIGIN, GL_FRONT));
    OK(texenv_point_parameter_f(&v, &te, GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT));
    for (uint32_t pname = GL_POINT_SIZE_MIN; pname <= GL_POINT_FADE_THRESHOLD_SIZE; pname++) {
        OK(texenv_point_parameter_f(&v, &te, pname, 0));
        GIVES(GL_INVALID_VALUE, texenv_point_parameter_f(&v, &te, pname, -1));
    }
    texenv_begin(&te);
    GIVES(GL_INVALID_OPERATION, texenv_point_parameter_fv(&v, &te, GL_POINT_DISTANCE_ATTENUATION, none));
}

/* ---- matrices (2.11.2) ---- */

static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const float shift[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1};
static const float perspective[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 1, 0};

static void texture_matrices(void)
{
    start();
    OK(texenv_mult_matrix(&v, &te, shift)); /* changes the modelview matrix, no texture matrix */
    WORDS("");
    OK(texenv_matrix_mode(&v, &te, GL_TEXTURE));
    OK(texenv_mult_matrix(&v, &te, identity));
    WORDS("");
    texenv_active_texture(&te, GL_TEXTURE3);
    OK(texenv_mult_matrix(&v, &te, shift));
    WORDS("matrix3");
    OK(texenv_push_matrix(&v, &te));
    WORDS("matrix3"); /* the new top of the stack is a copy */
    OK(texenv_load_matrix(&v, &te, identity));
    WORDS("");
    texenv_active_texture(&te, GL_TEXTURE2);
    GIVES(GL_STACK_UNDERFLOW, texenv_pop_matrix(&v, &te)); /* each unit has its own stack */
    OK(texenv_load_matrix(&v, &te, perspective));
    texenv_active_texture(&te, GL_TEXTURE3);
    OK(texenv_pop_matrix(&v, &te));
    WORDS("matrix2 matrix3");
    GIVES(GL_STACK_UNDERFLOW, texenv_pop_matrix(&v, &te));
    for (unsigned n = 1; n < TEXENV_TEXTURE_DEPTH; n++)
        OK(texenv_push_matrix(&v, &te));
    GIVES(GL_STACK_OVERFLOW, texenv_push_matrix(&v, &te));
    texenv_active_texture(&te, GL_TEXTURE8);
    GIVES(GL_INVALID_OPERATION, texenv_load_matrix(&v, &te, identity));
    GIVES(GL_INVALID_OPERATION, texenv_mult_matrix(&v, &te, identity));
    GIVES(GL_INVALID_OPERATION, texenv_push_matrix(&v, &te));
    GIVES(GL_INVALID_OPERATION, texenv_pop_matrix(&v, &te));
    for (unsigned i = 0; i < 16; i++) { /* changing any element makes it differ from the identity */
        float m[16];
        memcpy(m, identity, sizeof m);
        m[i] += 0.5f;
        start();
        OK(texenv_matrix_mode(&v, &te, GL_TEXTURE));
        OK(texenv_load_matrix(&v, &te, m));
        WORDS("matrix0");
    }
}

/* Tests that w of a light's position in eye coordinates decides whether it is positional or directional. */
static void modelview(void)
{
    const float at[4] = {0, 0, 1, 1}, direction[4] = {1, 0, 1, 0}, sideways[4] = {1, 0, 0, 1};
    start();
    texenv_enable(&te, GL_LIGHTING, true);
    ON(GL_LIGHT0);
    OK(texenv_load_matrix(&v, &te, shift));
    OK(texenv_light_fv(&v, &te, GL_LIGHT0, GL_POSITION, direction));
    WORDS("lighting light0");
    for (unsigned n = 0; n < 3; n++) {
        OK(texenv_push_matrix(&v, &te));
        OK(texenv_mult_matrix(&v, &te, perspective)); /* w = -z */
        if (n == 2)
            OK(texenv_mult_matrix(&v, &te, shift)); /* w = -(z + 7w) */
        OK(texenv_light_fv(&v, &te, GL_LIGHT0, GL_POSITION, n ? sideways : direction));
        WORDS("refused"); /* the transformation of normals depends on this matrix */
        OK(texenv_pop_matrix(&v, &te));
        WORDS(n == 1 ? "lighting light0" : "lighting light0=positional");
    }
    OK(texenv_light_fv(&v, &te, GL_LIGHT0, GL_POSITION, direction));
    WORDS("lighting light0");
    OK(texenv_light_fv(&v, &te, GL_LIGHT0, GL_POSITION, at));
    OK(texenv_matrix_mode(&v, &te, GL_PROJECTION)); /* the projection matrix has no effect */
    OK(texenv_load_matrix(&v, &te, perspective));
    OK(texenv_light_fv(&v, &te, GL_LIGHT0, GL_POSITION, direction));
    WORDS("lighting light0");
    GIVES(GL_STACK_UNDERFLOW, texenv_pop_matrix(&v, &te));
    for (unsigned n = 1; n < TEXENV_PROJECTION_DEPTH; n++)
        OK(texenv_push_matrix(&v, &te));
    GIVES(GL_STACK_OVERFLOW, texenv_push_matrix(&v, &te));
    OK(texenv_matrix_mode(&v, &te, GL_MODELVIEW));
    for (unsigned n = 1; n < TEXENV_MODELVIEW_DEPTH; n++)
        OK(texenv_push_matrix(&v, &te));
    GIVES(GL_STACK_OVERFLOW, texenv_push_matrix(&v, &te));
    OK(texenv_matrix_mode(&v, &te, GL_COLOR)); /* the colour matrix is not tracked */
    OK(texenv_pop_matrix(&v, &te));
    GIVES(GL_INVALID_ENUM, texenv_matrix_mode(&v, &te, GL_TEXTURE0));
    texenv_begin(&te);
    GIVES(GL_INVALID_OPERATION, texenv_matrix_mode(&v, &te, GL_MODELVIEW));
    GIVES(GL_INVALID_OPERATION, texenv_mult_matrix(&v, &te, shift));
    GIVES(GL_INVALID_OPERATION, texenv_push_matrix(&v, &te));
}

/* Returns the vertex state that a text of words describes. */
static struct texenv_vertex state_of(const char *text)
{
    struct texenv_vertex state;
    const struct texenv_sink none = {0};
    CHECK_SAY(texenv_read_vertex(&state, NULL, text, strlen(text), 1, &none), "%s", text);
    texenv_vertex_canonicalise(&state);
    return state;
}

/* Tests for which fourth rows of the modelview matrix a draw is refused, depending on what the state reads:
 * normals (2.11.3), the direction from the eye (2.11.4, 2.14.1), the position of the vertex (2.14.1, 3.3).
 * Derived by hand. */
static void fourth_rows(void)
{
    static const struct {
        float row[4];
        const char *goes; /* for each kind of state below: '+' if supported, else a letter for the reason */
    } rows[] = {
        {{0, 0, 0, 1}, "++++"},         {{0, 0, 0, 0.5f}, "+++p"},     {{0, 0, 0, -1}, "++dp"},
        {{-0.0f, 0, -0.0f, 2}, "+++p"}, {{0, 0, 0, 0}, "+nnn"},        {{1, 0, 0, 1}, "+nnn"},
        {{0, 1, 0, 1}, "+nnn"},         {{0, 0, -1, 0}, "+nnn"},       {{0, 0, NAN, 1}, "+uuu"},
        {{0, 1, NAN, 1}, "+nnn"},       {{0, 0, 0, NAN}, "+uuu"},      {{NAN, NAN, NAN, NAN}, "+uuu"},
        {{0, 0, INFINITY, 1}, "+nnn"},  {{0, 0, 0, INFINITY}, "+nnn"}, {{0, 0, 0, -INFINITY}, "+nnn"}};
    static const struct {
        const char *words;
        /* what the state reads: 0 none of the three, 1 normals, 2 also directions, 3 also positions */
        unsigned kind;
    } states[] = {{"", 0},
                  {"lighting", 0},
                  {"lighting two-side color-material", 0},
                  {"fog-coord", 0},
                  {"texgen0=object texgen1=eye matrix1", 0},
                  {"lighting light3", 1},
                  {"lighting two-side light0=spot", 1},
                  {"texgen7.r=normal", 1},
                  {"lighting local-viewer light0", 2},
                  {"texgen0=sphere", 2},
                  {"texgen5.t=reflection", 2},
                  {"lighting light0 light7=positional", 3},
                  {"lighting light1=positional+spot+attenuated texgen0=sphere", 3}};
    static const char *const says[] = {
        ['n'] = "is projective", ['d'] = "is negative", ['p'] = "is not 1", ['u'] = "is not known"};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
            const struct texenv_vertex state = state_of(states[i].words);
            const char *why = texenv_vertex_refuses(&state, rows[r].row), goes = rows[r].goes[states[i].kind];
            CHECK_SAY(goes == '+' ? !why : why && strstr(why, says[(unsigned char)goes]), "row %u, '%s': %s",
                      (unsigned)r, states[i].words, why ? why : "goes");
        }
    const struct texenv_vertex points = state_of("point-attenuation");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const char *why = texenv_vertex_refuses(&points, rows[r].row), place = rows[r].goes[3];
        CHECK_SAY(place == '+' ? !why : why && strstr(why, place == 'u' ? "not known" : "is not 1"),
                  "row %u, points: %s", (unsigned)r, why ? why : "goes");
    }
}

/* Tests that only the matrix on top of the modelview stack at the draw decides. */
static void projective_draws(void)
{
    const float half[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5f}, at[4] = {0, 0, 1, 1};
    start();
    texenv_enable(&te, GL_LIGHTING, true);
    ON(GL_LIGHT0);
    OK(texenv_load_matrix(&v, &te, half));
    WORDS("lighting light0");
    OK(texenv_light_fv(&v, &te, GL_LIGHT0, GL_POSITION, at));
    WORDS("refused");
    OK(texenv_push_matrix(&v, &te));
    OK(texenv_load_matrix(&v, &te, shift));
    WORDS("lighting light0=positional");
    OK(texenv_pop_matrix(&v, &te));
    WORDS("refused");
    OK(texenv_vertex_enable(&v, &te, GL_LIGHT0, false));
    WORDS("lighting");
    OK(texenv_load_matrix(&v, &te, perspective));
    WORDS("lighting");
    ON(GL_TEXTURE_GEN_S);
    WORDS("lighting texgen0.s=eye");
    OK(texenv_tex_gen_f(&v, &te, GL_S, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP));
    WORDS("refused");
    OK(texenv_matrix_mode(&v, &te, GL_PROJECTION));
    OK(texenv_load_matrix(&v, &te, identity));
    WORDS("refused");
    OK(texenv_matrix_mode(&v, &te, GL_MODELVIEW));
    OK(texenv_load_matrix(&v, &te, identity));
    WORDS("lighting texgen0.s=sphere");
}

/* ---- attribute groups (tables 6.7 to 6.14) ---- */

static void attributes(void)
{
    static const struct {
        uint32_t mask;
        const char *left; /* the text of the state after the pop */
    } rows[] = {
        {0,
         "lighting two-side local-viewer normalize point-attenuation light0=positional+spot+attenuated "
         "color-material.both=specular texgen0.s=sphere"},
        {GL_ENABLE_BIT, "lighting two-side point-attenuation"},
        {GL_LIGHTING_BIT, "lighting normalize point-attenuation texgen0.s=sphere"},
        {GL_TEXTURE_BIT,
         "lighting two-side local-viewer normalize point-attenuation "
         "light0=positional+spot+attenuated color-material.both=specular"},
        {GL_TRANSFORM_BIT,
         "lighting two-side local-viewer point-attenuation light0=positional+spot+attenuated "
         "color-material.both=specular texgen0.s=sphere"},
        {GL_POINT_BIT,
         "lighting two-side local-viewer normalize light0=positional+spot+attenuated "
         "color-material.both=specular texgen0.s=sphere"},
        {GL_ALL_ATTRIB_BITS, "lighting"}};
    const float at[4] = {0, 0, 0, 1}, attenuation[3] = {0, 1, 0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        texenv_enable(&te, GL_LIGHTING, true);
        const struct texenv_vertex_gl pushed = v;
        ON(GL_LIGHT0);
        ON(GL_NORMALIZE);
        ON(GL_COLOR_MATERIAL);
        ON(GL_TEXTURE_GEN_S);
        OK(texenv_tex_gen_f(&v, &te, GL_S, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP));
        OK(texenv_color_material(&v, &te, GL_FRONT_AND_BACK, GL_SPECULAR));
        OK(texenv_vertex_light_model_f(&v, &te, GL_LIGHT_MODEL_TWO_SIDE, 1));
        OK(texenv_vertex_light_model_f(&v, &te, GL_LIGHT_MODEL_LOCAL_VIEWER, 1));
        OK(texenv_light_fv(&v, &te, GL_LIGHT0, GL_POSITION, at));
        OK(texenv_light_f(&v, &te, GL_LIGHT0, GL_SPOT_CUTOFF, 10));
        OK(texenv_light_f(&v, &te, GL_LIGHT0, GL_LINEAR_ATTENUATION, 1));
        OK(texenv_point_parameter_fv(&v, &te, GL_POINT_DISTANCE_ATTENUATION, attenuation));
        OK(texenv_matrix_mode(&v, &te, GL_TEXTURE));
        texenv_vertex_pop_attrib(&v, &pushed, rows[i].mask);
        WORDS(rows[i].left);
        const bool lights_left = !(rows[i].mask & GL_LIGHTING_BIT);
        CHECK(v.light[0].positional == lights_left && v.light[0].spot == lights_left);
        CHECK((v.light[0].attenuation[1] == 1) == lights_left);
        /* the matrix mode belongs to TRANSFORM; matrices belong to no group */
        OK(texenv_load_matrix(&v, &te, shift));
        CHECK((v.not_identity[0] != 0) == !(rows[i].mask & GL_TRANSFORM_BIT));
    }
}

/* ---- what is refused ---- */

static void refusals(void)
{
    static const uint32_t caps[] = {GL_CLIP_PLANE0,       GL_CLIP_PLANE5,      GL_VERTEX_PROGRAM_ARB,
                                    GL_VERTEX_SHADER_EXT, GL_VERTEX_BLEND_ARB, GL_VERTEX_WEIGHTING_EXT};
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
        start();
        ON(caps[i]);
        WORDS("refused");
        OK(texenv_vertex_enable(&v, &te, caps[i], false));
        WORDS("");
    }
    start();
    ON(GL_BLEND);
    WORDS("");
    texenv_enable(&te, GL_FOG, true);
    texenv_fog_i(&te, GL_FOG_COORDINATE_SOURCE, GL_FOG_COORDINATE);
    WORDS("fog-coord");
    texenv_enable(&te, GL_FOG, false);
    WORDS("");
}

/* ---- what the texture environment reads ---- */

static void reads_are(const char *stages, const char *written, const char *left);
static const char *left_over, *expected_stages;
static struct texenv_vertex given;

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct texenv_vertex_reads reads;
    struct texenv_vertex vertex = given;
    char data[1024];
    struct texenv_text text;
    (void)user;
    struct texenv_state state = canonical(draw->te);
    texenv_vertex_reads_of(&reads, &state);
    texenv_vertex_restrict(&vertex, &reads);
    texenv_text_init(&text, data, sizeof data);
    texenv_print_vertex(&text, &vertex);
    CHECK_SAY(strcmp(data, left_over) == 0, "%s leaves '%s', not '%s'", expected_stages, data, left_over);
    return true;
}

static void reads_are(const char *stages, const char *written, const char *left)
{
    struct texenv_reader reader = {.on_draw = on_draw};
    CHECK(texenv_read_vertex(&given, NULL, written, strlen(written), 1, &(struct texenv_sink){0}));
    left_over = left;
    expected_stages = stages;
    texenv_read_stages(&reader, stages, strlen(stages));
    CHECK_SAY(reader.draws == 1 && !reader.errors, "%s", stages);
}

static void reads(void)
{
    const char *all = "lighting light0 texgen0=eye texgen1=eye fog-coord";
    reads_are("{}", all, "lighting light0");
    reads_are("{replace}", all, "texgen0.stq=eye");
    /* with an RGB texture, alpha is that of the primary colour */
    reads_are("{replace @rgb}", all, "lighting light0 texgen0.stq=eye");
    reads_are("{replace @1d}", all, "texgen0.sq=eye");
    reads_are("{replace @rect}", all, "texgen0.stq=eye");
    reads_are("{replace @3d}", all, "texgen0.strq=eye");
    reads_are("{replace @cube}", all, "texgen0.str=eye");
    reads_are("{replace @depth}", all, "lighting light0 texgen0.stq=eye");
    reads_are("{replace @shadow}", all, "lighting light0 texgen0.strq=eye");
    reads_are("{T1} {P}", all, "texgen1.stq=eye");
    reads_are("{replace} {replace}", all, "texgen1.stq=eye");
    reads_are("{replace} {T1*F}", all, "lighting light0 texgen1.stq=eye");
    reads_are("{replace} colorsum", all, "lighting light0 texgen0.stq=eye");
    reads_are("{replace} fog=exp", all, "fog-coord texgen0.stq=eye");
    /* the texture matrix reads all four coordinates */
    reads_are("{replace}", "texgen0=eye matrix0 matrix1", "texgen0.strq=eye matrix0");
    reads_are("{replace}", "normalize texgen1=normal", "");
}

/* ---- words ---- */

static uint32_t seed = 20250725;
static unsigned pick(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

/* Checks that a state of random bytes becomes a canonical state whose text reads back as the same state. */
static void random_words(void)
{
    for (unsigned n = 0; n < 20000; n++) {
        char data[2048];
        struct texenv_text text;
        struct texenv_vertex state, back;
        uint8_t *byte = (uint8_t *)&state;
        for (size_t i = 0; i < sizeof state; i++)
            byte[i] = (uint8_t)(pick(3) ? pick(7) : pick(2) ? 0 : pick(256));
        texenv_vertex_canonicalise(&state);
        back = state;
        texenv_vertex_canonicalise(&back);
        CHECK(memcmp(&back, &state, sizeof state) == 0);
        texenv_text_init(&text, data, sizeof data);
        texenv_print_vertex(&text, &state);
        CHECK(text.length < sizeof data);
        memset(&back, 0xa5, sizeof back);
        CHECK_SAY(texenv_read_vertex(&back, NULL, data, text.length, 1, &(struct texenv_sink){0}), "%s",
                  data);
        CHECK_SAY(memcmp(&back, &state, sizeof state) == 0, "%s", data);
    }
}

static struct texenv_diag last;
static void keep(void *user, const struct texenv_diag *diag)
{
    (void)user;
    last = *diag;
}

static void bad_words(void)
{
    static const struct {
        const char *text;
        unsigned line, column;
        const char *says;
    } rows[] = {{"lighting lights", 1, 15, "expected a number from 0 to 7"},
                {"light8", 1, 6, "expected a number from 0 to 7, found '8'"},
                {"light10", 1, 6, "expected a number from 0 to 7"},
                {"light0=", 1, 8, "expected positional, spot or attenuated"},
                {"light0=spot+", 1, 13, "expected positional, spot or attenuated"},
                {"light0=spots", 1, 8, "expected positional, spot or attenuated"},
                {"light0 = spot", 1, 8, "expected a word of vertex states"},
                {"lighting\n  lit", 2, 3, "expected a word of vertex states"},
                {"# a comment\nlighting # lit\nlit", 3, 1, "expected a word of vertex states"},
                {"texgen0", 1, 8, "expected '=' and a mode"},
                {"texgen=eye", 1, 7, "expected a number from 0 to 7"},
                {"texgen0.=eye", 1, 9, "expected coordinates"},
                {"texgen0.x=eye", 1, 9, "expected coordinates"},
                {"texgen0.st=eyes", 1, 12, "expected a mode"},
                {"texgen0.sr=sphere", 1, 12, "expected a mode that r and q have"},
                {"texgen0.q=normal", 1, 11, "expected a mode that q has"},
                {"matrix8", 1, 7, "expected a number from 0 to 7"},
                {"color-material.side", 1, 16, "expected front, back or both"},
                {"color-material=shininess", 1, 16, "expected ambient, diffuse, specular or emission"},
                {"reads=color", 1, 1, "expected a word of vertex states"},
                {"normalise", 1, 1, "expected a word of vertex states"},
                {"rescale,normalize", 1, 8, "expected a space behind the word"}};
    const struct texenv_sink sink = {keep, NULL};
    struct texenv_vertex state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const struct texenv_vertex zero;
        memset(&last, 0, sizeof last);
        CHECK_SAY(!texenv_read_vertex(&state, NULL, rows[i].text, strlen(rows[i].text), 1, &sink), "%s",
                  rows[i].text);
        CHECK_SAY(last.severity == TEXENV_ERROR && last.place.line == rows[i].line &&
                      last.place.column == rows[i].column && strstr(last.text, rows[i].says),
                  "'%s' says '%s' at %u:%u", rows[i].text, last.text, last.place.line, last.place.column);
        CHECK(memcmp(&state, &zero, sizeof zero) == 0);
    }
}

static void words_of_reads(void)
{
    static const char text[] = "reads=color+texcoord1.sq reads=fog+texcoord0 light1=spot light1";
    struct texenv_vertex_reads reads;
    struct texenv_vertex state;
    CHECK(texenv_read_vertex(&state, &reads, text, sizeof text - 1, 1, &(struct texenv_sink){0}));
    CHECK(reads.primary && !reads.secondary && reads.fog && reads.coord[0] == 15 && reads.coord[1] == 9);
    CHECK(state.light[1].enabled &&
          !state.light[1].spot); /* of two words for light 1, the later one is used */
}

int main(void)
{
    texgen();
    lights();
    light_errors();
    light_model();
    normals();
    materials();
    points();
    texture_matrices();
    modelview();
    fourth_rows();
    projective_draws();
    attributes();
    refusals();
    reads();
    random_words();
    bad_words();
    words_of_reads();
    return check_report("vertex");
}
