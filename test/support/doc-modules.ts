import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { later } from './clean-up.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The TypeScript of a page: every block is a module. */
interface DocModules {
  readonly names: readonly string[]
  /** The compiled module. */
  file(name: string): string
  /** Compiles all of them with the strictness of this project; returns the output of the compiler. */
  compile(): Promise<string>
  /** Runs one with closed input; returns its standard error. */
  run(name: string): Promise<string>
}

interface Surroundings {
  /**
   * Packages that the modules import: a path below the root, or files that replace a package that is not installed.
   */
  readonly packages: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Blocks are named `page-number`; `// =>` gives the value of the expression before it. */
export function readDocModules(pages: readonly string[], { packages }: Surroundings): DocModules {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-docs-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const modules = new Map(pages.flatMap(findBlocks))
  for (const [name, place] of Object.entries(packages)) install(join(folder, 'node_modules', name), place)
  for (const [name, code] of modules) writeFileSync(join(folder, `${name}.ts`), toModule(code))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG))
  const file = (name: string): string => join(folder, 'out', `${name}.js`)
  return {
    names: [...modules.keys()],
    file,
    compile: async () =>
      (await execute([join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', folder])).stdout,
    run: async name => {
      const { code, stderr } = await execute([file(name)])
      return code === 0 ? stderr : `${stderr}\nended with ${code}`
    },
  }
}

const CONFIG = {
  extends: join(ROOT, 'tsconfig.base.json'),
  compilerOptions: {
    composite: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    outDir: 'out',
    rootDir: '.',
  },
  include: ['*.ts'],
}

function findBlocks(page: string): [string, string][] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const name = page.replace(/^.*\//, '').replace('.md', '')
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ''], index) => [
    `${name}-${index}`,
    code,
  ])
}

function toModule(code: string): string {
  const lines = code.replaceAll('\n// =>', ' // =>').split('\n')
  const checked = lines.map(line => {
    const [expression = '', expected] = line.split(' // => ')
    return expected === undefined ? line : `assert.deepEqual(${expression}, ${expected})`
  })
  return `import assert from 'node:assert/strict'\n${checked.join('\n')}\nvoid assert\n`
}

function install(place: string, content: string | Readonly<Record<string, string>>): void {
  mkdirSync(dirname(place), { recursive: true })
  if (typeof content === 'string') return symlinkSync(join(ROOT, content), place)
  mkdirSync(place)
  for (const [file, text] of Object.entries(content)) writeFileSync(join(place, file), text)
}

function execute(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise(resolve => {
    const child = execFile(process.execPath, [...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    )
    child.stdin?.end()
  })
}
