// `npm run sample-texts`: prints random messages and comments, for a reader who has not seen the code.
// The same --seed prints the same texts of the same commit.
//
//   npm run sample-texts -- --seed 7 --count 60
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from '@swc/core'
import { readOptions } from './read-options.mjs'
import { ROOT } from './ready.mjs'

const { seed, count } = readOptions(import.meta.url, {
  seed: { type: 'string', default: '1' },
  count: { type: 'string', default: '60' },
})

/** Parts of tests, and tables of words that the product looks for in texts of others. */
const NOT_READ =
  /\/test-support\/|\/store\/contract|\/(data-words|thesaurus-words|phrases|[a-z]+-table|read-sentence|name-verb)\.ts$/

const PACKAGES = ['metadata', 'toolkit', 'agent', 'gateway', 'console'].map(name => `packages/${name}/src`)
const files = PACKAGES.flatMap(listSources)
const random = createRandom(Number(seed))
printSample(
  'Messages',
  files.flatMap(readMessages).filter(({ text }) => isMessage(text)),
)
printSample('Comments', files.flatMap(readComments))

function listSources(folder) {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes('.test.'))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => !NOT_READ.test(file))
    .sort()
}

/** All texts of a file that could be read by a user, with `…` for each value that is filled in. */
function readMessages(file) {
  const source = readFileSync(file, 'utf8')
  const texts = []
  visit(parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'esnext' }), node => {
    if (node.type === 'StringLiteral' || node.type === 'JSXText') texts.push(node.value)
    if (node.type === 'TemplateLiteral') texts.push(node.quasis.map(({ cooked }) => cooked).join('…'))
  })
  return texts.map(text => ({ file, text: text.replace(/\s+/g, ' ').trim() }))
}

function visit(node, see) {
  if (node === null || typeof node !== 'object' || node.type === 'ImportDeclaration') return
  if (typeof node.type === 'string') see(node)
  for (const child of Object.values(node)) visit(child, see)
}

/** A sentence, not SQL, a pattern, a selector or a key. */
function isMessage(text) {
  const words = text.split(' ').filter(word => /^[("'`]?[A-Za-z…-]+[)"'`.,:;?!]*$/.test(word))
  return words.length >= 4 && !/^(select|insert|update|delete|create|alter|drop|with) |[{};]|=>/i.test(text)
}

/** Block comments of declarations and groups of line comments, with the two lines of code below them. */
function readComments(file) {
  const lines = readFileSync(file, 'utf8').split('\n')
  const comments = []
  for (let at = 0; at < lines.length; at++) {
    if (!/^\s*(\/\/|\/\*\*)/.test(lines[at])) continue
    const isBlock = lines[at].includes('/*')
    const start = at
    while (isBlock ? !lines[at].includes('*/') : /^\s*\/\//.test(lines[at + 1] ?? '')) at++
    const text = lines
      .slice(start, at + 1)
      .join(' ')
      .replace(/\s*(\/\*\*|\*\/|\/\/|\s\*\s)\s*/g, ' ')
    if (text.trim().split(/\s+/).length < 4) continue
    const code = lines
      .slice(at + 1, at + 3)
      .map(line => `        ${line}`)
      .join('\n')
    comments.push({ file: `${file}:${start + 1}`, text: `${text.trim()}\n${code}` })
  }
  return comments
}

function printSample(title, texts) {
  console.log(`\n${title} (${count} of ${texts.length})\n`)
  for (const [index, { file, text }] of take(texts, Number(count)).entries())
    console.log(`${index + 1}. [${relative(ROOT, file)}] ${text}`)
}

function take(texts, wanted) {
  const left = [...texts]
  return Array.from(
    { length: Math.min(wanted, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0],
  )
}

/** Mulberry32: a small generator whose sequence depends on nothing but its seed. */
function createRandom(start) {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
