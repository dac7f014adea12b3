// Writes the figures of a soak test to docs/security/testing.md, between two marks.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ROOT, say } from '../ready.mjs'
import { cell, code, table } from './markdown.mjs'

const PAGE = 'docs/security/testing.md'
const MARKS = ['<!-- soak: figures from here -->', '<!-- soak: to here -->']

/** `command` repeats the run. */
export function writeSoakFigures(figures, command) {
  const file = join(ROOT, PAGE)
  const page = readFileSync(file, 'utf8')
  const [from, to] = MARKS.map(mark => page.indexOf(mark))
  if (from < 0 || to < from) throw new Error(`${PAGE} has no marks for the figures: ${MARKS.join(' … ')}`)
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores`
  const when = new Date().toISOString().slice(0, 10)
  const rows = Object.entries(figures).map(([name, value]) => [cell(name), cell(value.toLocaleString('en'))])
  const text = `${MARKS[0]}\n\n${when}, ${code(command)}, ${machine}:\n\n${table(['what', 'how much'], rows)}\n\n`
  writeFileSync(file, `${page.slice(0, from)}${text}${page.slice(to)}`)
  say(`wrote the figures to ${PAGE}`)
}
