import type { ReplayedCase, Suite } from './load-suites.ts'

interface Passages {
  passagesOf(principal: string, now: number): readonly unknown[]
}

/** The parts of the gateway that read results. It does not export them, so they are loaded from its build folder. */
interface Provenance {
  readonly PassageMemory: new (options: object) => Passages
  readonly TokenHasher: new (secret: Buffer) => object
  readonly TextSealer: new (secret: Buffer, purpose: string) => object
  readonly rememberTexts: (said: object, reader: object) => Promise<void> | undefined
  readonly sizeOfAll: (passages: readonly unknown[]) => number
}

const FILES = [
  'provenance/passage-memory',
  'provenance/passage',
  'provenance/token-hashes',
  'provenance/remember-texts',
  'base/text-sealer',
]

async function loadProvenance(): Promise<Provenance> {
  const gateway = import.meta.resolve('@hintgate/gateway/package.json')
  const modules = await Promise.all(
    FILES.map((name): Promise<object> => import(new URL(`dist/${name}.js`, gateway).href)),
  )
  return Object.assign({}, ...modules) as Provenance
}

/** Returns how many bytes of passages each honest run brings into the memory of its agent. */
export async function measureMemory(suites: readonly Suite[]): Promise<readonly number[]> {
  const provenance = await loadProvenance()
  const honest = suites.flatMap(({ cases }) => cases.filter(({ kind }) => kind === 'honest'))
  const sizes: number[] = []
  for (const one of honest) sizes.push(await measureRun(one, provenance))
  return sizes
}

async function measureRun({ steps }: ReplayedCase, provenance: Provenance): Promise<number> {
  const { PassageMemory, TokenHasher, TextSealer, rememberTexts, sizeOfAll } = provenance
  const secret = Buffer.alloc(32, 1)
  const memory = new PassageMemory({
    store: new RowsInMemory(),
    sealer: new TextSealer(secret, 'passages'),
    hasher: new TokenHasher(secret),
    isShared: false,
    isOff: () => false,
  })
  for (const [at, { tool, args, result }] of steps.entries()) {
    const source = { server: 'suite', tool, request: String(at), session: 'run', at }
    const said = { content: [{ type: 'text', text: result }] }
    await rememberTexts(said, { memory, principal: 'agent', source, args })
  }
  return sizeOfAll(memory.passagesOf('agent', steps.length))
}

/** Keeps the rows of one run. How they are stored does not matter for the memory. */
class RowsInMemory {
  readonly #rows: object[] = []

  async add(rows: readonly object[]): Promise<readonly number[]> {
    return rows.map(row => this.#rows.push({ ...row, id: this.#rows.length + 1 }))
  }

  async find(_principal: string, after: number): Promise<readonly object[]> {
    return this.#rows.slice(after)
  }
}
