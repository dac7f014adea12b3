import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkConfigText } from '../../packages/gateway/src/config/load-config.ts'
import { readCases } from '../../packages/gateway/src/policy/rules/cases/read-cases.ts'
import { parsePolicies } from '../../packages/gateway/src/policy/rules/parse-policies.ts'
import { helpOf } from '../support/command-help.ts'
import { type DocBlock, listPages, readBlocks, readPage } from '../support/doc-blocks.ts'
import { type DocCommand, findCommands } from '../support/doc-commands.ts'
import { hintgate } from '../support/hintgate.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGES = listPages()
const BLOCKS = PAGES.flatMap(readBlocks)
const checked = (...languages: string[]): DocBlock[] =>
  BLOCKS.filter(({ language, exempt }) => languages.includes(language) && exempt === undefined)

describe('commands in the documentation', () => {
  const inBlocks = checked('sh', 'bash', 'shell').flatMap(findCommands)
  const commands = [...inBlocks, ...PAGES.flatMap(findInline)]

  it('are found', () => {
    expect(commands.length).toBeGreaterThan(60)
    expect(
      findCommands(block('T=$(npx hintgate tokens create a --json | jq -r .token) # hintgate b')),
    ).toEqual([expect.objectContaining({ words: ['tokens', 'create', 'a', '--json'] })])
  })

  it.each(commands.map(command => [command.page, command.line, command] as const))(
    'exist with all their flags: %s: %s',
    async (_page, _line, command) => {
      expect(await findFaults(command)).toEqual([])
    },
  )

  it('would be reported if they did not exist', async () => {
    const faultsOf = async (text: string) =>
      Promise.all(findCommands(block(text)).map(command => findFaults(command)))
    expect(await faultsOf('hintgate tokens destroy x')).toEqual([['there is no hintgate tokens destroy']])
    expect(await faultsOf('npx hintgate frobnicate')).toEqual([['there is no hintgate frobnicate']])
    expect(await faultsOf('hintgate serve --lisen 1')).toEqual([['hintgate serve has no --lisen']])
  })

  it('run, if that is harmless', async () => {
    const harmless = inBlocks.filter(
      ({ words: [first, second = ''] }) =>
        first === 'explain' || (first === 'lint' && second.startsWith('examples/')),
    )
    expect(harmless.length).toBeGreaterThan(2)
    for (const { words, line } of harmless) {
      const { code, stderr } = await hintgate(words, { cwd: ROOT })
      expect({ line, code, stderr }).toEqual({ line, code: expect.toBeOneOf([0, 1]), stderr: '' })
    }
  })

  it('of npm are existing scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
    const told = PAGES.flatMap(page =>
      [...readPage(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => [page, name]),
    )
    expect(told.length).toBeGreaterThan(10)
    expect(told.filter(([, name = '']) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})

/** `hintgate …` inside a sentence. */
function findInline(page: string): readonly DocCommand[] {
  const prose = readPage(page).replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/`((?:npx )?hintgate [a-z][^`]*)`/g)].flatMap(([, text = '']) =>
    findCommands({ ...block(text.replaceAll('\n', ' ')), page }),
  )
}

function block(text: string): DocBlock {
  return { page: 'a page', line: 1, language: 'sh', text }
}

async function findFaults({ words }: DocCommand): Promise<readonly string[]> {
  const path = await findPath(words)
  if (typeof path === 'string') return [path]
  const help = await helpOf(path)
  const end = words.indexOf('--')
  const flags = words.slice(path.length, end < 0 ? undefined : end).filter(word => /^--?[a-z]/.test(word))
  return flags
    .map(flag => flag.replace(/=.*$/, ''))
    .filter(flag => flag !== '--help' && !new RegExp(`(?:^|[\\s,])${flag}(?![\\w-])`, 'm').test(help))
    .map(flag => `hintgate ${path.join(' ')} has no ${flag}`)
}

/** The command that the words name, or what is wrong with them. */
async function findPath(words: readonly string[]): Promise<readonly string[] | string> {
  const path: string[] = []
  for (;;) {
    if (!/^Usage: .*\[command\]/m.test(await helpOf(path))) return path
    const next = words[path.length]
    if (next === undefined || next.startsWith('-')) return path
    path.push(next)
    const usage = `Usage: hintgate ${path.join(' ')}`
    if (!(await helpOf(path)).includes(usage)) return `there is no hintgate ${path.join(' ')}`
  }
}

describe('the README', () => {
  it('has every command of the first hour', () => {
    const script = readFileSync(join(ROOT, 'scripts/newcomer.mjs'), 'utf8')
    const played = [...script.matchAll(/\b(?:run|hintgate)\('([a-z]+)'(?:, '([a-z]+)')?/g)]
    const readme = readPage('README.md')
    expect(played.length).toBeGreaterThan(5)
    for (const [, first = '', second = ''] of played)
      expect(readme).toMatch(new RegExp(`${first}${GROUPS.has(first) ? ` ${second}` : ''}\\b`))
  })
})

const GROUPS = new Set(['tools', 'approvals', 'audit', 'servers', 'tokens'])

describe('configs in the documentation', () => {
  const configs = checked('json', 'jsonc')

  it('are found', () => expect(configs.length).toBeGreaterThan(5))

  it.each(configs.map(config => [config.page, config.line, config.text] as const))(
    'are accepted: %s:%i',
    (_page, _line, text) => {
      expect(findConfigProblems(text)).toEqual([])
    },
  )

  it('would be reported if they were invalid', () => {
    expect(findConfigProblems('{ "lisen": "127.0.0.1:1" }')).not.toEqual([])
    expect(findConfigProblems('"sandbox": { "netwerk": true }')).not.toEqual([])
  })
})

/** Part of a config is either a top-level part, or part of a server. */
function findConfigProblems(text: string): readonly unknown[] {
  const names = [...text.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = '']) => name)
  const env = Object.fromEntries(names.map(name => [name, 'R4nd0m-enough-for-any-secret-0123456789']))
  const read = (whole: string): readonly unknown[] =>
    checkConfigText(whole, '/tmp/hintgate.json', { env, cwd: '/tmp', homeDir: '/tmp', flags: {} }).problems
  const isWhole = /^\s*(?:\/\/.*\n\s*)*\{/.test(text)
  if (isWhole) return read(text)
  const atTop = read(`{${text}}`)
  return atTop.length === 0 ? [] : read(`{"mcpServers": {"files": {"command": "files",\n${text}}}}`)
}

describe('policies in the documentation', () => {
  const files = checked('yaml', 'yml')

  it('are found', () => expect(files.length).toBeGreaterThan(20))

  it.each(files.map(file => [file.page, file.line, file.text] as const))(
    'can be loaded: %s:%i',
    (page, _line, text) => {
      expect(text).toMatch(/^(?:rules|cases):/m)
      const file = { path: page, text }
      expect((/^cases:/m.test(text) ? readCases(file) : parsePolicies([file])).problems).toEqual([])
    },
  )
})

describe('pages of the documentation', () => {
  it('give a reason for each unchecked block', () => {
    for (const { exempt, page } of BLOCKS)
      if (exempt !== undefined) expect(exempt.length, page).toBeGreaterThan(15)
  })

  it.each(PAGES)('have no broken links: %s', page => {
    const targets = [...readPage(page).matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(
      ([, target = '']) => target,
    )
    const local = targets.filter(target => !/^[a-z]+:/.test(target))
    expect(local.filter(target => !existsSync(join(ROOT, normalize(join(dirname(page), target)))))).toEqual(
      [],
    )
  })
})
