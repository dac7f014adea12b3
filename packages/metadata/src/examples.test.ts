import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import * as api from './index.ts'

/**
 * Extracts, type-checks and runs every `@example` in this package. In an example, `// =>` is followed by the value of
 * an expression.
 */
const SOURCES = fileURLToPath(new URL('.', import.meta.url))
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const OUT = fileURLToPath(new URL(`../.examples-${process.pid}/`, import.meta.url))

interface Example {
  readonly subject: string
  readonly code: string
}

function findExamples(): Example[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  const sources = files.filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  return sources.flatMap(file => examplesIn(readFileSync(join(SOURCES, file), 'utf8')))
}

function examplesIn(source: string): Example[] {
  const documented = source.matchAll(
    /@example\n([\s\S]*?)\*\/\s*export (?:async )?(?:function|const|class) (\w+)/g,
  )
  return [...documented].map(([, block = '', subject = '']) => ({
    subject,
    code: block.replaceAll(/^ \* ?/gm, '').trimEnd(),
  }))
}

/** Turns `expression // => value` into an assertion. The value can also be on the next line. */
function toModule({ code }: Example): string {
  const body = code.replaceAll('\n// =>', ' // =>').split('\n')
  const lines = body.map(line => {
    const [expression = '', expected] = line.split(' // => ')
    return expected === undefined ? line : `expect(${expression}).toEqual(${expected})`
  })
  return `import { expect } from 'vitest'\n${lines.join('\n')}\n`
}

const examples = findExamples()
mkdirSync(OUT, { recursive: true })
for (const example of examples) writeFileSync(join(OUT, `${example.subject}.ts`), toModule(example))
afterAll(() => rmSync(OUT, { recursive: true, force: true }))

describe('worked examples', () => {
  it('exist for every public function', () => {
    const functions = Object.entries(api).filter(
      ([name, value]) => typeof value === 'function' && /^[a-z]/.test(name),
    )
    const guards = ['isOperation', 'isServiceDomain']
    const undocumented = functions
      .map(([name]) => name)
      .filter(name => !examples.some(example => example.subject === name))
    expect(functions.length).toBeGreaterThan(20)
    expect(undocumented.filter(name => !guards.includes(name))).toEqual([])
  })

  it('each assert a value', () => {
    for (const { subject, code } of examples) expect(code, subject).toContain('// =>')
  })

  it('type-check against the public types', () => {
    const config = {
      extends: '../../../tsconfig.base.json',
      compilerOptions: { noEmit: true, composite: false, types: ['node'], noUnusedLocals: false },
      include: ['*.ts'],
    }
    writeFileSync(join(OUT, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    expect(spawnSync(process.execPath, [tsc, '--project', OUT], { encoding: 'utf8' }).stdout).toBe('')
  })

  it.each(examples.map(example => example.subject))('%s returns the documented values', async subject => {
    await import(join(OUT, `${subject}.ts`))
  })
})
