#include "source.h"

#include <string.h>

static const struct value unknown;

static bool is_compound(const struct token *t) { return token_in(t, " if for while switch "); }

/* Returns the token after the statement at p. If statements are nested too deep, returns the end of the
 * tokens, which ends no statement. */
static size_t end_of_statement(const struct tokens *k, size_t p, unsigned depth)
{
    const struct token *t = &k->t[p];
    if (depth > MOST_NESTING)
        return k->n - 1;
    while (is_compound(t)) {
        p = source_group(k, p + 1);
        if (token_is(t, "if")) {
            p = end_of_statement(k, p, depth + 1);
            if (!token_is(&k->t[p], "else"))
                return p;
            p++;
        }
        t = &k->t[p];
    }
    if (t->kind == TEXENV_C_END)
        return p;
    if (token_is(t, "{"))
        return source_group(k, p);
    if (token_is(t, "else") || token_is(t, "do"))
        p = end_of_statement(k, p + 1, depth + 1);
    p = source_find(k, p, k->n - 1, " ; ");
    return p < k->n - 1 ? p + 1 : p;
}

size_t source_end_of_statement(const struct run *r, size_t p) { return end_of_statement(&r->tokens, p, 0); }

/* Decides an unknown condition. The same condition may be decided differently later on the path, since its
 * variables may have changed; source_ask recognises values that have not changed. */
unsigned source_decide(struct run *r, const struct token *at, size_t from, size_t to, unsigned of)
{
    if (r->used == r->ndecisions) {
        if (r->ndecisions == MOST_DECISIONS) {
            source_fail(
                r, at, "source-ways",
                "more than %d conditions whose values are not known: give names their values with --let",
                MOST_DECISIONS);
            return 0;
        }
        r->decision[r->ndecisions++] = (struct decision){.of = of};
    }
    struct decision *d = &r->decision[r->used];
    r->asked[r->used++] = 0;
    d->at = at;
    d->from = from;
    d->to = to;
    return d->taken;
}

bool source_ask(struct run *r, const struct token *at, size_t from, size_t to, struct value v)
{
    const int64_t id = v.kind == VALUE_UNKNOWN && v.i < 0 ? ~v.i : v.kind == VALUE_UNKNOWN ? v.i : 0;
    const bool inverse = v.i < 0;
    for (unsigned i = 0; id && i < r->used; i++)
        if (r->asked[i] == id || r->asked[i] == ~id)
            return (r->decision[i].taken == 0) == (r->asked[i] == (inverse ? ~id : id));
    const bool yes = source_decide(r, at, from, to, 2) == 0;
    if (!r->failed)
        r->asked[r->used - 1] = inverse ? ~id : id;
    return yes;
}

static void condition_statement(struct run *r)
{
    const struct token *at = source_at(r);
    r->p++;
    size_t from = r->p + 1;
    source_expect(r, "(");
    const struct value v = source_expression(r).v;
    int truth = source_truth(v);
    size_t to = r->p;
    source_expect(r, ")");
    size_t yes = r->p, no = source_end_of_statement(r, yes), end = no;
    bool other = token_is(&r->tokens.t[no], "else");
    if (other)
        end = source_end_of_statement(r, no + 1);
    if (r->failed || r->flow != FLOW_ON)
        return;
    const enum effect effect = truth < 0 ? source_effect(r, yes, end, true) : EFFECT_NONE;
    if (truth < 0 && effect < EFFECT_SETS) {
        source_leave_out(r, yes, end, effect);
        r->p = end;
        return;
    }
    if (truth < 0 && r->plain)
        r->flow = FLOW_UNKNOWN;
    else if (truth < 0)
        truth = source_ask(r, at, from, to, v);
    if (r->flow != FLOW_ON)
        return;
    if (truth || other) {
        r->p = truth ? yes : no + 1;
        source_statement(r);
    }
    r->p = end;
}

/* A loop statement (for, while, do), with token positions of its parts. */
struct loop {
    const struct token *at;
    size_t condition, step, body, end;
    bool body_first;
    enum effect effect; /* effect of the whole loop */
};

static bool loop_goes_on(struct run *r, struct loop *l)
{
    r->p = l->condition;
    if (token_is(source_at(r), ";"))
        return true;
    int truth = source_truth(source_expression(r).v);
    if (truth >= 0 || r->failed)
        return truth == 1 && !r->failed;
    if (r->plain) {
        r->flow = FLOW_UNKNOWN;
        return false;
    }
    source_fail(r, l->at, "source-loop",
                "how often this loop runs is not known: give names their values with --let");
    return false;
}

/* Called after a statement at `at`: restores r->plain to its value before the statement. If control flow
 * became unknown inside and the statement changes no GL state, skips the statement. */
static void end_plain(struct run *r, const struct token *at, size_t end, bool plain, enum effect effect)
{
    r->plain = plain;
    if (r->flow == FLOW_UNKNOWN && effect < EFFECT_SETS && !r->failed) {
        source_leave_out(r, (size_t)(at - r->tokens.t), end, effect);
        r->flow = FLOW_ON;
    }
    r->p = end;
}

static void loop(struct run *r, struct loop *l)
{
    const bool plain = r->plain;
    unsigned turns = 0;
    l->effect = source_effect(r, (size_t)(l->at - r->tokens.t), l->end, true);
    r->plain |= l->effect < EFFECT_SETS;
    for (bool first = l->body_first; !r->failed; first = false) {
        if ((!first && !loop_goes_on(r, l)) || r->flow != FLOW_ON)
            break;
        r->p = l->body;
        source_statement(r);
        if (r->flow < FLOW_RETURN && ++turns > MOST_PLAIN && l->effect < EFFECT_SETS)
            r->flow = FLOW_UNKNOWN;
        if (r->flow >= FLOW_RETURN)
            break;
        bool stop = r->flow == FLOW_BREAK;
        r->flow = FLOW_ON;
        if (stop)
            break;
        r->p = l->step;
        if (l->step && !token_is(source_at(r), ")"))
            source_expression(r);
    }
    end_plain(r, l->at, l->end, plain, l->effect);
}

static void loop_statement(struct run *r)
{
    struct loop l = {.at = source_at(r)};
    struct variable *outer = r->variables;
    r->p++;
    if (token_is(l.at, "do")) {
        l.body = r->p;
        l.body_first = true;
        size_t p = source_end_of_statement(r, r->p);
        if (!token_is(&r->tokens.t[p], "while") || !token_is(&r->tokens.t[p + 1], "(")) {
            source_fail(r, l.at, "source-syntax", "this 'do' has no 'while'");
            return;
        }
        l.condition = p + 2;
        l.end = source_group(&r->tokens, p + 1) + 1;
    } else {
        size_t close = source_group(&r->tokens, r->p);
        l.body = close;
        l.end = source_end_of_statement(r, close);
        l.condition = ++r->p;
        const bool range = token_is(l.at, "for") && source_find(&r->tokens, r->p, close, " ; ") == close;
        l.effect = range ? source_effect(r, (size_t)(l.at - r->tokens.t), l.end, true) : EFFECT_NONE;
        if (l.effect == EFFECT_SETS) {
            source_fail(r, l.at, "source-loop", "range-based loops are not supported");
            return;
        }
        if (range) {
            source_leave_out(r, r->p, l.end, l.effect);
            r->p = l.end;
            return;
        }
        if (token_is(l.at, "for")) {
            if (source_is_type(r, r->p) || source_declares(r, r->p))
                source_declaration(r);
            else if (!source_take(r, ";")) {
                source_expression(r);
                source_expect(r, ";");
            }
            l.condition = r->p;
            l.step = source_find(&r->tokens, r->p, close - 1, " ; ") + 1;
        }
    }
    loop(r, &l);
    source_drop(r, outer);
}

static void switch_statement(struct run *r)
{
    enum { MOST_CASES = 64 };
    const struct token *at = source_at(r);
    size_t label[MOST_CASES + 1], from = r->p + 2, otherwise = 0;
    unsigned n = 0;
    r->p++;
    source_expect(r, "(");
    struct value v = source_expression(r).v;
    size_t to = r->p;
    source_expect(r, ")");
    size_t body = r->p, end = source_end_of_statement(r, body), go = 0;
    const bool plain = r->plain;
    const enum effect effect = source_effect(r, (size_t)(at - r->tokens.t), end, true);
    r->plain |= effect < EFFECT_SETS;
    if (v.kind != VALUE_INT && r->plain && !r->failed) {
        r->flow = FLOW_UNKNOWN;
        end_plain(r, at, end, plain, effect);
        return;
    }
    for (size_t p = body + 1; p < end - 1 && !r->failed;) {
        const struct token *t = &r->tokens.t[p];
        if (token_is(t, "default")) {
            otherwise = p;
        } else if (token_is(t, "case") && n < MOST_CASES) {
            label[n++] = p;
            r->p = p + 1;
            struct value c = source_assignment(r).v;
            if (v.kind == VALUE_INT && c.kind == VALUE_INT && c.i == v.i && !go)
                go = p;
            if (v.kind == VALUE_INT && c.kind != VALUE_INT)
                source_fail(r, t, "source-switch", "the value of this case is not known");
        }
        p = token_is(t, "{") || token_is(t, "(") ? source_group(&r->tokens, p) : p + 1;
    }
    if (v.kind != VALUE_INT && !r->failed) {
        unsigned taken = source_decide(r, at, from, to, n + 1);
        go = taken < n ? label[taken] : 0;
    }
    go = go ? go : otherwise;
    for (r->p = go; go && !r->failed && r->flow == FLOW_ON && r->p < end - 1;)
        source_statement(r);
    if (r->flow == FLOW_BREAK)
        r->flow = FLOW_ON;
    end_plain(r, at, end, plain, effect);
}

/* Interprets a statement that begins with a keyword. Returns false if it does not begin with one. */
static bool keyword(struct run *r)
{
    const struct token *t = source_at(r);
    if (token_is(t, "if")) {
        condition_statement(r);
    } else if (token_in(t, " for while do ")) {
        loop_statement(r);
    } else if (token_is(t, "switch")) {
        switch_statement(r);
    } else if (token_is(t, "return")) {
        r->p++;
        struct value v = token_in(source_at(r), " ; { ") ? unknown : source_expression(r).v;
        r->returned = source_copy(r, v);
        r->flow = r->flow == FLOW_ON ? FLOW_RETURN : r->flow;
    } else if (token_is(t, "throw")) {
        const size_t end = source_end_of_statement(r, r->p);
        if (source_effect(r, r->p + 1, end, false) >= EFFECT_DRAWS)
            source_fail(r, t, "source-statement", "what is thrown here draws or sets GL state");
        r->p = end;
        r->flow = FLOW_EXIT;
    } else if (token_in(t, " break continue ")) {
        r->flow = token_is(t, "break") ? FLOW_BREAK : FLOW_CONTINUE;
        r->p++;
    } else if (token_in(t, " case default ")) {
        r->p++;
        r->skip++;
        if (token_is(t, "case"))
            source_assignment(r);
        r->skip--;
        source_expect(r, ":");
    } else if (token_in(t, " goto asm __asm__ try ")) {
        source_fail(r, t, "source-statement", "'%.*s' is not followed", (int)t->n, t->s);
    } else {
        return false;
    }
    return true;
}

static void block(struct run *r)
{
    struct variable *outer = r->variables;
    size_t end = source_group(&r->tokens, r->p) - 1;
    r->p++;
    while (!r->failed && r->flow == FLOW_ON && r->p < end)
        source_statement(r);
    r->p = end + 1;
    source_drop(r, outer);
}

/* Expects the ";" after an expression that began at `from`. If it is missing after a single name or a call,
 * that may be a macro of a missing header. */
static void end_expression(struct run *r, size_t from)
{
    const struct token *t = &r->tokens.t[from], *at = source_at(r);
    const bool call = token_is(t + 1, "(");
    size_t n;
    const char *name = source_call_name(r->o, t, &n);
    if (r->failed || source_take(r, ";"))
        return;
    if (t->kind == TEXENV_C_NAME && r->p == (call ? source_group(&r->tokens, from + 1) : from + 1) &&
        !source_variable(r, t) && !source_function(r, t) && !source_is_gl(name, n))
        source_fail(r, at, "source-syntax",
                    "';' is expected, not '%.*s'; if '%.*s' is a macro: -D '%.*s%s=' leaves it out",
                    (int)at->n, at->s, (int)t->n, t->s, (int)t->n, t->s, call ? "(...)" : "");
    source_expect(r, ";");
}

void source_statement(struct run *r)
{
    const struct token *t = source_at(r);
    const size_t statement = r->statement;
    r->statement = r->p;
    r->main = t->here ? t : r->main;
    if (++r->steps > r->most_steps || r->script.length > (1u << 20))
        source_fail(r, t, "source-steps", "the program runs too long to be interpreted");
    if (r->nesting++ > MOST_NESTING)
        source_fail(r, t, "source-nesting", "nested too deep");
    if (!token_in(t, " { do else try "))
        source_check_implied(
            r, is_compound(t) ? source_group(&r->tokens, r->p + 1) : source_end_of_statement(r, r->p));
    if (r->failed || t->kind == TEXENV_C_END) {
        r->failed = true;
    } else if (token_is(t, "{")) {
        block(r);
    } else if (token_is(t, ";")) {
        r->p++;
    } else if (token_is(t, "using")) {
        r->p = source_end_of_statement(r, r->p);
    } else if (keyword(r)) {
    } else if (t->kind == TEXENV_C_NAME && token_is(t + 1, ":")) {
        r->p += 2;
    } else if ((source_is_type(r, r->p) && (!token_is(t + 1, "(") || token_is(t + 2, "*"))) ||
               source_declares(r, r->p)) {
        source_declaration(r);
    } else {
        const size_t from = r->p;
        source_expression(r);
        end_expression(r, from);
    }
    r->statement = statement;
    r->nesting--;
}
