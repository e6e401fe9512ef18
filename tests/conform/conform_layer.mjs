// An implementation of texture environments with selectable faults, each one like a fault of a real
// implementation, to which examples/conform.mjs applies vectors. Written from the specifications, in doubles.
//
//   node conform_layer.mjs [NAME of a fault | --list] [texenv-vectors.json]
import { readFileSync } from 'node:fs'
import { report, run } from '../../examples/conform.mjs'

// name -> the function that has to be named as failing
const FAULTS = {
  none: '', operand_complement: 'GL_ONE_MINUS_SRC', scale_dropped: 'GL_RGB_SCALE', constants_shared: '2 units',
  decal_is_modulate: 'GL_DECAL', alpha_passed_through: 'GL_COMBINE', dot3_four_times: 'GL_DOT3_RGB',
  dot3_rgba_is_modulate: 'GL_DOT3_RGBA', blend_with_primary: 'GL_BLEND', unknown_source_is_previous: 'GL_TEXTURE1',
  no_clamp_after_add: '2 units: add', signed_without_bias: 'GL_ADD_SIGNED', formats_ignored: 'of GL_',
  interpolate_reversed: 'GL_INTERPOLATE', subtract_reversed: 'GL_SUBTRACT', add_alpha_added: 'GL_ADD of',
  fog_not_clamped: 'GL_FOG_MODE', color_sum_missing: 'GL_COLOR_SUM',
}
let fault = 'none'
const is = name => fault === name
const clamp = x => Math.min(1, Math.max(0, x))
const levels = list => list.map(b => b / 255)

// Base formats: OpenGL 2.1, table 3.21.
function expand(format, [r, g, b, a], e) {
  if (is('formats_ignored')) return [r, g, b, a]
  return {
    [e.ALPHA]: [0, 0, 0, a], [e.LUMINANCE]: [r, r, r, 1], [e.LUMINANCE_ALPHA]: [r, r, r, a],
    [e.INTENSITY]: [r, r, r, r], [e.RGB]: [r, g, b, 1],
  }[format] ?? [r, g, b, a]
}

// OpenGL 2.1, 3.8.13: the classic modes.
function classic(u, mode, p, t, first, e) {
  const c = is('blend_with_primary') ? first : u.color
  const rgb = u.format !== e.ALPHA, intensity = u.format === e.INTENSITY
  const one = (i, blends) => mode === e.REPLACE ? t[i] : mode === e.ADD ? (blends ? p[i] + t[i] : p[i] * t[i])
    : mode === e.BLEND ? (blends ? p[i] * (1 - t[i]) + c[i] * t[i] : p[i] * t[i]) : p[i] * t[i]
  if (mode === e.DECAL)
    return [0, 1, 2].map(i => is('decal_is_modulate') ? p[i] * t[i] : p[i] * (1 - t[3]) + t[i] * t[3]).concat(p[3])
  const alpha = u.format === e.RGB || u.format === e.LUMINANCE ? p[3]
    : one(3, intensity || mode === e.ADD && is('add_alpha_added'))
  return [0, 1, 2].map(i => rgb ? one(i, true) : p[i]).concat(alpha)
}

function combine(d, n, p) {
  const { e, units } = d, u = units[n], get = (name, initial) => u.env.get(e[name]) ?? initial
  let disabled = false
  const source = value => {
    if (value === e.CONSTANT) return is('constants_shared') ? units.find(Boolean).color : u.color
    if (value === e.PRIMARY_COLOR) return d.primary
    if (value === e.PREVIOUS) return p
    if (value < 2) return [value, value, value, value]
    if (value !== e.TEXTURE && is('unknown_source_is_previous')) return p
    const other = value === e.TEXTURE ? u : units[value - 0x84C0]
    disabled ||= !other
    return other ? other.texel : p
  }
  const four = u.mode === e.COMBINE4_NV
  const argument = (half, slot, channel) => {
    const late = slot === 3 ? '_NV' : ''
    const start = [[e.TEXTURE ?? 0x1702, e.PREVIOUS, e.CONSTANT, 0][slot], slot === 3 ? 0x303 : slot === 2 || half === 'ALPHA' ? 0x302 : 0x300]
    const s = source(get(`${late ? 'SOURCE' : 'SRC'}${slot}_${half}${late}`, start[0]))
    const operand = get(`OPERAND${slot}_${half}${late}`, start[1])
    const x = operand >= 0x302 ? s[3] : s[channel]
    return operand & 1 && !is('operand_complement') ? 1 - x : x
  }
  const formula = (half, channel) => {
    const f = get('COMBINE_' + half, e.MODULATE ?? 0x2100)
    const three = [e.INTERPOLATE, e.MODULATE_ADD_ATI, e.MODULATE_SIGNED_ADD_ATI, e.MODULATE_SUBTRACT_ATI].includes(f)
    const [a, b, c, k] = [0, 1, 2, 3].slice(0, four ? 4 : f === e.REPLACE ? 1 : three ? 3 : 2).map(i => argument(half, i, channel))
    const bias = is('signed_without_bias') ? 0 : .5
    if (four) return a * b + c * k - (f === e.ADD_SIGNED ? bias : 0)
    switch (f) {
      case e.REPLACE: return a
      case e.ADD: return a + b
      case e.ADD_SIGNED: return a + b - bias
      case e.SUBTRACT: return is('subtract_reversed') ? b - a : a - b
      case e.INTERPOLATE: return is('interpolate_reversed') ? b * c + a * (1 - c) : a * c + b * (1 - c)
      case e.MODULATE_ADD_ATI: return a * c + b
      case e.MODULATE_SIGNED_ADD_ATI: return a * c + b - .5
      case e.MODULATE_SUBTRACT_ATI: return a * c - b
      default: return a * b
    }
  }
  const rgb = get('COMBINE_RGB'), all = rgb === e.DOT3_RGBA && !is('dot3_rgba_is_modulate') && !four
  const dots = (rgb === e.DOT3_RGB && !four) || all
  const dot = () => [0, 1, 2].reduce((sum, i) => sum + (argument('RGB', 0, i) - .5) * (argument('RGB', 1, i) - .5), 0) *
    (is('dot3_four_times') ? 16 : 4)
  const scales = [is('scale_dropped') ? 1 : get('RGB_SCALE', 1), get('ALPHA_SCALE', 1)]
  const out = [0, 1, 2, 3].map(i => (dots && (i < 3 || all) ? dot() : formula(i < 3 ? 'RGB' : 'ALPHA', i)) * scales[+(i === 3)])
  if (is('alpha_passed_through') && !all) out[3] = p[3]
  const open = i => is('no_clamp_after_add') && get(i < 3 ? 'COMBINE_RGB' : 'COMBINE_ALPHA') === e.ADD
  return disabled ? p : out.map((x, i) => open(i) ? x : clamp(x)) // ARB_texture_env_crossbar: as if disabled
}

function fogged(fog, color, e) {
  const x = fog.density * fog.depth
  const f = fog.mode === e.LINEAR ? (fog.end - fog.depth) / (fog.end - fog.start) : Math.exp(fog.mode === e.EXP ? -x : -x * x)
  const amount = is('fog_not_clamped') ? f : clamp(f)
  return color.map((c, i) => i < 3 ? amount * c + (1 - amount) * fog.color[i] / 255 : c)
}

function draw(vector, data) {
  const e = data.enumerants
  const units = vector.units.map(u => u && {
    format: u.format, texel: expand(u.format, levels(u.texel), e), env: new Map(u.env ?? []),
    color: levels(u.color ?? [0, 0, 0, 0]), mode: new Map(u.env ?? []).get(e.TEXTURE_ENV_MODE) ?? 0x2100,
  })
  const d = { e, units, primary: levels(vector.primary) }
  let color = d.primary
  units.forEach((u, n) => {
    if (!u) return
    color = u.mode === e.COMBINE || u.mode === e.COMBINE4_NV ? combine(d, n, color)
      : classic(u, u.mode, color, u.texel, d.primary, e).map(clamp)
  })
  color = color.map(clamp)
  if (vector.secondary && !is('color_sum_missing'))
    color = color.map((c, i) => i < 3 ? clamp(c + vector.secondary[i] / 255) : c)
  if (vector.fog) color = fogged(vector.fog, color, e)
  const rgba = color.map(c => Math.round(clamp(c) * 255))
  if (vector.alphaTest) {
    const [func, ref] = vector.alphaTest, order = Math.sign(rgba[3] - ref) // GL_NEVER + 1 less, 2 equal, 4 greater
    if (!(func - 0x200 & [1, 2, 4][order + 1])) return data.background
  }
  return rgba
}

const [name = 'none', path = 'texenv-vectors.json'] = process.argv.slice(2)
if (name === '--list') {
  for (const [fault_, fails] of Object.entries(FAULTS)) console.log(`${fault_}\t${fails}`)
} else {
  fault = name
  const data = JSON.parse(readFileSync(path, 'utf8'))
  const result = run({ draw }, data)
  console.log(report(result, data))
  process.exitCode = result.failures.length ? 1 : 0
}
