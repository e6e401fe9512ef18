// Runs the conformance vectors of texenvc over an implementation of texture environments in JavaScript.
//
//   texenvc vectors && node conform.mjs ./my-layer.mjs
//
// The module exports draw(vector, data): sets the state of a vector from the initial one of a context, draws over
// data.background, and returns [red, green, blue, alpha], or null where it cannot do that. It may export
// vertex(vector, data), too. data is the whole of texenv-vectors.json, which says how to read it.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const LISTED = 20

function close(got, want, steps) {
  return want.every((w, i) => Math.abs(w - got[i]) <= steps)
}

function count(table, tags, result) {
  for (const tag of [...tags, 'all']) {
    table[tag] ??= { passed: 0, failed: 0, skipped: 0 }
    table[tag][result]++
  }
}

const settings = v => (v.units ?? []).reduce((n, u) => n + 4 + (u?.env?.length ?? 0), 0)
const size = v => (v.calls ? 8 + v.calls.length : settings(v)) + ['fog', 'alphaTest', 'secondary'].filter(k => v[k]).length

export function names(data) {
  const known = new Map()
  for (const [name, value] of Object.entries(data.enumerants))
    if (!known.has(value)) known.set(value, 'GL_' + name)
  return value => known.get(value) ?? String(value)
}

const bytes = list => list.map(b => b + '/255').join(', ')

// The state of a vector as GL calls.
export function calls(vector, data) {
  const name = names(data)
  if (vector.calls)
    return vector.calls.map(([call, ...rest]) => `${call}(${rest.map(x => Array.isArray(x) ? x.join(', ') : name(x)).join(', ')});`)
  const out = []
  vector.units.forEach((unit, n) => {
    if (!unit) return
    out.push(`glActiveTexture(GL_TEXTURE${n}); glEnable(GL_TEXTURE_2D);`)
    out.push(`/* ${name(unit.format)} of texel ${unit.texel.join(' ')} */`)
    for (const [k, v] of unit.env ?? []) out.push(`glTexEnvi(GL_TEXTURE_ENV, ${name(k)}, ${name(v)});`)
    if (unit.color) out.push(`GL_TEXTURE_ENV_COLOR ${bytes(unit.color)}`)
  })
  out.push(`glColor ${bytes(vector.primary)}`)
  if (vector.secondary) out.push(`GL_COLOR_SUM, glSecondaryColor ${bytes(vector.secondary)}`)
  if (vector.alphaTest) out.push(`GL_ALPHA_TEST ${name(vector.alphaTest[0])} ${vector.alphaTest[1]}/255`)
  if (vector.fog) out.push(`GL_FOG ${name(vector.fog.mode)} ${JSON.stringify(vector.fog)}`)
  return out
}

// {failures, table}: what failed, the smallest state first, and results by tag.
export function run(layer, data) {
  const failures = [], table = {}
  for (const vector of [...data.vectors, ...data.vertices]) {
    const draw = vector.calls ? layer.vertex : layer.draw
    const got = draw ? draw(vector, data) : null
    const right = [vector.want, ...(vector.either ?? [])]
    const passed = got && right.some(want => close(got, want, vector.tolerance ?? 1))
    count(table, vector.tags, !got ? 'skipped' : passed ? 'passed' : 'failed')
    if (got && !passed) failures.push({ vector, got })
  }
  failures.sort((a, b) => size(a.vector) - size(b.vector))
  return { failures, table }
}

export function report({ failures, table }, data) {
  const lines = []
  failures.slice(0, LISTED).forEach(({ vector, got }, i) => {
    lines.push(`${i ? '  ' : 'FAILED: '}${vector.name}: wanted ${vector.want.join(' ')}, got ${got.join(' ')}`)
    if (!i) lines.push(...calls(vector, data).map(line => '    ' + line))
  })
  lines.push(`${failures.length} failed`, 'tag            passed   failed  skipped')
  for (const [tag, n] of Object.entries(table))
    lines.push(tag.padEnd(12) + [n.passed, n.failed, n.skipped].map(x => String(x).padStart(9)).join(''))
  return lines.join('\n')
}

async function main([file, path = 'texenv-vectors.json']) {
  if (!file) {
    console.error('usage: node conform.mjs LAYER.mjs [texenv-vectors.json]')
    return 2
  }
  const data = JSON.parse(readFileSync(path, 'utf8'))
  const result = run(await import(pathToFileURL(resolve(file))), data)
  console.log(report(result, data))
  return result.failures.length || !result.table.all?.passed ? 1 : 0
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href)
  process.exitCode = await main(process.argv.slice(2))
