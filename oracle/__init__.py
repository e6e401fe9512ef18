"""The oracle of texenvc: an independent evaluator of texture environments and fragment shader programs.

It is written from the specifications alone and never looks at the C sources: when both agree on a colour, two
independent interpretations of the specifications agree. `python3 -m oracle --help` lists the commands.

    common      exceptions with a position, single-precision colours; exact numbers, as fractions (the
                reference) and as columns of integers (fast); vectors of inputs
    texenv      the state that one draw sees and its value; stage notation; generators of states; a search for
                inputs between the clamps of steep stages
    gl          readers of GL calls and traces (gl_machine holds the GL semantics), printers
    ir, atifs, lang     the intermediate program, programs of ATI_fragment_shader, ARB programs and GLSL
    vertex      the vertex half: words, values of GL's state, fixed function for a vertex
    hw          shared by the interpreters of all chips
    r200, i830, i915, us, pvs, pica200, nv2a, etnaviv, ir3  words of r200, of i830, of i915, of r300 to r500
                (their fragment unit is called US, their vertex engine PVS), of the PICA200, of the NV2A, of
                Vivante's and Qualcomm's cores
    commands    one module per command, and code that commands share

A package imports only those above it; the packages of chips are found by name (hw/chips.py).
"""
