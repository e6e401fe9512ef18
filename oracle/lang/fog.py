"""Fog after texturing (OpenGL 2.1, section 3.10), over any number domain. exp is an uninterpreted function,
so only its argument is compared.
"""
from ..common.lookups import function


def factor(inputs, mode):
    dom = inputs.dom
    coord, end, scale, density = (inputs.get(('fog', 1, i)) for i in range(4))
    if mode == 'linear':
        return dom.sat(dom.mul(dom.sub(end, coord), scale))
    depth = dom.mul(density, coord)
    return dom.sat(function(dom, 'exp', 1, dom.sub(dom.zero,
                                                   depth if mode == 'exp' else dom.mul(depth, depth))))


def blend(inputs, color, mode):
    """Returns the colour with fog; alpha is unchanged."""
    dom, f = inputs.dom, factor(inputs, mode)
    return [dom.add(dom.mul(f, color[c]), dom.mul(dom.sub(dom.one, f), inputs.get(('fog', 0, c))))
            for c in range(3)] + [color[3]]
