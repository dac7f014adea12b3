// `npm run check -- --figures`: prints the size of the gateway by room, and the files that one call passes through.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cruiseSources, rooms } from './cruise.mjs'
import { observeCall } from './figures/happy-path.mjs'
import { ROOT } from './ready.mjs'
import { findCycles, listImports, listSources, roomOf } from './rooms.mjs'

const SOURCES = join(ROOT, 'packages/gateway/src')

/** The rooms that a call passes through. Calls into other rooms need not be read to follow it. */
const ON_THE_WAY = ['inbound', 'exchange', 'call', 'upstream']

/** Counts lines as an editor does. */
function countLines(file) {
  return readFileSync(join(SOURCES, file), 'utf8').split('\n').length - 1
}

export async function printFigures() {
  const { LIMITS } = await import('../packages/gateway/dist/admission/limits.js')
  const { modules } = await cruiseSources()
  const files = listSources(modules).map(file => ({ file, room: roomOf(file), lines: countLines(file) }))
  const imports = listImports(modules)
  for (const { name, uses } of rooms)
    printRow(
      name,
      files.filter(({ room }) => room === name),
      uses,
    )
  printRow('total', files)
  print('median file', `${median(files.map(({ lines }) => lines))} lines`)
  print('cycles between folders', findCycles(imports).length)
  print('modules behind handle-call.ts', countReached('call/handle-call.ts', imports))
  print('the corridor (takeSteps)', `${measureCorridor()} lines`)
  print('limits', Object.keys(LIMITS).length)
  await printHappyPath()
}

/** The observed call of a modern client at `/mcp` to a server over HTTP. */
async function printHappyPath() {
  const files = Object.keys(await observeCall()).sort()
  const onTheWay = files.filter(file => ON_THE_WAY.includes(roomOf(file)))
  print('happy path of one call', describePath(onTheWay))
  for (const file of onTheWay) print(`  ${file}`, `${String(countLines(file)).padStart(4)} lines`)
  print('with the other rooms it uses', describePath(files))
}

function describePath(files) {
  return `${files.length} files, ${files.reduce((sum, file) => sum + countLines(file), 0)} lines`
}

function printRow(name, files, uses) {
  const lines = files.reduce((sum, file) => sum + file.lines, 0)
  const used = uses === undefined ? '' : `uses ${uses.length === 0 ? 'nothing' : uses.join(', ')}`
  print(name, `${String(files.length).padStart(4)} files ${String(lines).padStart(6)} lines  ${used}`)
}

function print(what, figure) {
  console.log(`${what.padEnd(32)} ${figure}`.trimEnd())
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function countReached(from, imports) {
  const reached = new Set([from])
  for (const file of reached) for (const one of imports) if (one.from === file) reached.add(one.to)
  return reached.size
}

/** The length of `takeSteps`, including its braces. */
function measureCorridor() {
  const lines = readFileSync(join(SOURCES, 'call/handle-call.ts'), 'utf8').split('\n')
  const head = lines.findIndex(line => /^async function takeSteps\b/.test(line))
  return lines.indexOf('}', head) - head + 1
}
