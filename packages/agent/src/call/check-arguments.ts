import type { Reason } from '@hintgate/metadata'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import type { AgentTool } from '../catalog/agent-tool.ts'
import type { Json } from '../json.ts'

type Check = (args: Json) => string | undefined

/** The compiled checks of schemas. They are kept, because compiling a schema takes milliseconds. */
const checks = new WeakMap<Json, Check>()

/** Returns the reason why the arguments do not match the tool's input schema, or undefined if they match. */
export function checkArguments({ inputSchema }: AgentTool, args: Json): Reason | undefined {
  const check = checks.get(inputSchema) ?? compile(inputSchema)
  checks.set(inputSchema, check)
  const text = check(args)
  return text === undefined ? undefined : { rule: 'arguments.schema', source: 'call', text }
}

/**
 * Compiles a schema. If it cannot be compiled, for example because it refers to other documents, only the server checks
 * the arguments.
 */
function compile(schema: Json): Check {
  try {
    // Each schema has its own validator, because a shared one would confuse schemas with the same `$id`.
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

/** Removes `format`, as the gateway does: servers disagree about which values match a format. */
function dropFormats(key: string, value: unknown): unknown {
  return key === 'format' && typeof value === 'string' ? undefined : value
}
