import type { Reason } from '@hintgate/metadata'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import type { AgentTool } from '../catalog/agent-tool.ts'
import type { Json } from '../json.ts'

type Check = (args: Json) => string | undefined

/** One check for each schema, because each takes milliseconds to compile. */
const checks = new WeakMap<Json, Check>()

/** Why the arguments do not match the tool's input schema; undefined if they do. */
export function checkArguments({ inputSchema }: AgentTool, args: Json): Reason | undefined {
  const check = checks.get(inputSchema) ?? compile(inputSchema)
  checks.set(inputSchema, check)
  const text = check(args)
  return text === undefined ? undefined : { rule: 'arguments.schema', source: 'call', text }
}

/** A schema that cannot be compiled, as with references to other documents, is left to the server. */
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

/** As at a gateway, a format is a remark: servers disagree about what fits one. */
function dropFormats(key: string, value: unknown): unknown {
  return key === 'format' && typeof value === 'string' ? undefined : value
}
