// What is measured: a setting is what is started, a cell is a load on it.
import type { Era, Kilobytes } from './answers.ts'

export interface Setting {
  readonly transport: 'http' | 'stdio'
  readonly era: Era
  readonly upstreams: number
  readonly tools: number
}

export interface Shape {
  readonly operation: 'call' | 'list'
  readonly concurrency: number
  readonly kb: Kilobytes
}

export interface Block {
  readonly setting: Setting
  readonly shapes: readonly Shape[]
}

const CONCURRENCIES = [1, 16, 64]
const SIZES: readonly Kilobytes[] = [0.1, 10, 100]

/** The load shape of the bars on CPU per call. */
export const BAR_SHAPE: Shape = call(16, 0.1)
export const LIST_SHAPE: Shape = { operation: 'list', concurrency: 1, kb: 0.1 }

/** A representative selection: each axis is varied with the others at their usual value. */
export const SHORT: readonly Block[] = [
  block('http', 'modern', [call(1, 0.1), BAR_SHAPE, call(64, 0.1), call(16, 10), call(16, 100)]),
  block('stdio', 'modern', [call(1, 0.1), BAR_SHAPE, call(64, 0.1), call(16, 100)]),
  block('http', 'legacy', [BAR_SHAPE]),
  block('stdio', 'legacy', [BAR_SHAPE]),
  {
    setting: { transport: 'http', era: 'modern', upstreams: 10, tools: 1000 },
    shapes: [BAR_SHAPE, LIST_SHAPE],
  },
]

export const FULL: readonly Block[] = crossEverything()

export function describeSetting({ transport, era, upstreams, tools }: Setting): string {
  return `${transport} ${era}, ${upstreams} × ${tools} tools`
}

export function describeShape({ operation, concurrency, kb }: Shape): string {
  return operation === 'list' ? `tools/list, ${concurrency} at once` : `${kb} KB, ${concurrency} at once`
}

/** Only cells whose description matches. */
export function selectCells(blocks: readonly Block[], pattern: RegExp): Block[] {
  return blocks
    .map(({ setting, shapes }) => ({
      setting,
      shapes: shapes.filter(shape => pattern.test(`${describeSetting(setting)}, ${describeShape(shape)}`)),
    }))
    .filter(({ shapes }) => shapes.length > 0)
}

function block(transport: Setting['transport'], era: Era, shapes: readonly Shape[]): Block {
  return { setting: { transport, era, upstreams: 1, tools: 10 }, shapes }
}

function call(concurrency: number, kb: Kilobytes): Shape {
  return { operation: 'call', concurrency, kb }
}

function crossEverything(): Block[] {
  const shapes = CONCURRENCIES.flatMap(concurrency => SIZES.map(kb => call(concurrency, kb)))
  const settings = (['http', 'stdio'] as const).flatMap(transport =>
    (['modern', 'legacy'] as const).flatMap(era =>
      [1, 10].flatMap(upstreams => [10, 1000].map(tools => ({ transport, era, upstreams, tools }))),
    ),
  )
  return settings.map(setting => ({ setting, shapes: [...shapes, LIST_SHAPE] }))
}
