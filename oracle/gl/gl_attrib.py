"""The attribute stack: the state that glPushAttrib saves for each bit (GL 2.1, state tables)."""
from .gl_objects import GLError
from .gl_values import ATTRIB, SUSPENDING

STACK_DEPTH = 16
ENABLE_CAPS = frozenset(('FOG', 'COLOR_SUM', 'LIGHTING', 'ALPHA_TEST')) | frozenset(SUSPENDING.values())


class Attributes:
    """The methods of Machine for the attribute stack."""

    def push_attrib(self, args):
        cx, mask = self.current, args.integer('mask')
        if len(cx.stack) >= STACK_DEPTH:
            raise GLError('STACK_OVERFLOW')
        saved = {}
        if mask & ATTRIB['TEXTURE']:
            saved['texture'] = (cx.active, [e.copy() for e in cx.env], [dict(x) for x in cx.names[:]],
                                [{t: (x, x.depth_mode, x.compare) for t, x in b.items()} for b in cx.bound])
        if mask & (ATTRIB['TEXTURE'] | ATTRIB['ENABLE']):
            saved['targets'] = [set(x) for x in cx.enabled]
        if mask & ATTRIB['ENABLE']:
            saved['caps'] = (ENABLE_CAPS, set(cx.caps))
        if mask & ATTRIB['FOG']:
            saved['fog'] = (cx.fog_mode, cx.fog_coord)
            saved['fog caps'] = (frozenset(('FOG', 'COLOR_SUM')), set(cx.caps))
        if mask & ATTRIB['COLOR_BUFFER']:
            saved['alpha test'] = cx.alpha_test
            saved['alpha caps'] = (frozenset(('ALPHA_TEST',)), set(cx.caps))
        if mask & ATTRIB['LIGHTING']:
            saved['light'] = cx.separate
            saved['light caps'] = (frozenset(('LIGHTING',)), set(cx.caps))
        cx.stack.append(saved)

    def pop_attrib(self, args):
        cx = self.current
        if not cx.stack:
            raise GLError('STACK_UNDERFLOW')
        saved = cx.stack.pop()
        for key in ('caps', 'fog caps', 'light caps', 'alpha caps'):
            if key in saved:
                which, values = saved[key]
                cx.caps = (cx.caps - which) | (values & which)
        if 'targets' in saved:
            cx.enabled = saved['targets']
        if 'fog' in saved:
            cx.fog_mode, cx.fog_coord = saved['fog']
        if 'alpha test' in saved:
            cx.alpha_test = saved['alpha test']
        if 'light' in saved:
            cx.separate = saved['light']
        if 'texture' in saved:
            cx.active, cx.env, names, bound = saved['texture']
            for unit, (unit_names, unit_bound) in enumerate(zip(names, bound)):
                for target, name in unit_names.items():
                    self.bind(unit, target, name)
                    texture, depth_mode, compare = unit_bound[target]
                    if texture is cx.bound[unit][target]:
                        texture.depth_mode, texture.compare = depth_mode, compare
