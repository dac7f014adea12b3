import { createContext, Script } from 'node:vm'
import { compile, TreeInterpreter } from '@jmespath-community/jmespath'
import { measureJson } from '../kept/measure-json.ts'

/** Thrown if an expression takes too long, its value is too long, or it does not fit the result. */
export class QueryFault extends Error {}

/** Maximum length of a value, before and after an expression, in characters of JSON. */
const MAX_CHARS = 1024 * 1024
const MAX_MS = 250

const context = createContext(
  { run: () => undefined as unknown },
  { codeGeneration: { strings: false, wasm: false } },
)
const script = new Script('run()')

type Data = Parameters<typeof TreeInterpreter.search>[1]

/**
 * Compiles a JMESPath expression. The operator writes it, but servers choose the data, and nested loops over long lists
 * can take hours. Therefore data and value are limited in length, and V8 ends the evaluation when its time is over.
 */
export function compileQuery(expression: string): (value: unknown) => unknown {
  const tree = compile(expression)
  return value => {
    if (isLong(value)) throw new QueryFault('it is too long for the expression of this toolset')
    return withinTime(() => TreeInterpreter.search(tree, value as Data))
  }
}

function withinTime(work: () => unknown): unknown {
  context.run = work
  try {
    const value: unknown = script.runInContext(context, { timeout: MAX_MS })
    if (isLong(value)) throw new QueryFault('the expression of this toolset makes it too long')
    return value
  } catch (error) {
    if (error instanceof QueryFault) throw error
    const isLate = (error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    const why = isLate ? 'takes too long to evaluate on it' : 'does not fit it'
    throw new QueryFault(`the expression of this toolset ${why}`)
  } finally {
    context.run = () => undefined
  }
}

function isLong(value: unknown): boolean {
  return measureJson(value, MAX_CHARS) > MAX_CHARS
}
