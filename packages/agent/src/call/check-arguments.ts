import type { Reason } from '@hintgate/metadata'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import type { AgentTool } from '../catalog/agent-tool.ts'
import type { Json } from '../json.ts'

type Check = (args: Json) => string | undefined

/** The compiled check of each schema, kept because compiling takes milliseconds. */
const checks = new WeakMap<Json, Check>()

/** Returns the reason why the arguments do not match the tool's input schema, or undefined if they match. */
export function checkArguments({ inputSchema }: AgentTool, args: Json): Reason | undefined {
  const check = checks.get(inputSchema) ?? compile(inputSchema)
  checks.set(inputSchema, check)
  const text = check(args)
  return text === undefined ? undefined : { rule: 'arguments.schema', source: 'call', text }
}

/**
 * Compiles a schema. If that is impossible, as with references to other documents, the server alone checks the
 * arguments.
 */
function compile(schema: Json): Check {
  try {
    // One validator for each schema: a shared one would confuse schemas with the same `$id`.
    const validate = new AjvJsonSchemaValidator().getValidator(
      JSON.parse(JSON.stringify(schema, dropFormats)),
    )
    return args => {
      const { valid, errorMessage } = validate(args)
      return valid
        ? undefined
        : (errorMessage ?? 'they do not match').replaceAll(/\bdata(?=[/ ])/g, 'arguments')
    }
  } catch {
    return () => undefined
  }
}

/** Removes `format`, as the gateway does, because servers disagree about which values match a format. */
function dropFormats(key: string, value: unknown): unknown {
  return key === 'format' && typeof value === 'string' ? undefined : value
}
