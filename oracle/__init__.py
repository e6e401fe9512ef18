"""The oracle of texenvc: an independent evaluator of texture environments and fragment shader programs.

It is written from the specifications alone and never looks at the C sources: when both agree on a colour, two
separate readings of the specifications agree. `python3 -m oracle --help` lists the commands.

    errors, numbers        exceptions with a place; single-precision colours
    tokens, texformats     GL enumerants; internal formats and what their texels look like
    state, texenv_eval     the state that one draw sees, and its value
    gl_machine, gl_text, apitrace, stages       the readers (gl_machine holds the GL semantics)
    stages_print, gl_print                      printers, independent of texenvc's
    atifs_text, atifs_eval, atifs_lint          the target program
    ir_text, ir_eval                            the intermediate program
    domain, vectors        exact numbers: fractions (the reference) and columns of integers (fast)
    steep                  a search for inputs between the clamps of steep stages
    compare, shrink, check, equiv, roundtrip, enumerate_states, random_states    the commands
"""
