import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'

type Json = Record<string, unknown>

/**
 * A schema that the SDK announces but does not check: arguments are checked once, by the toolkit, with messages that name
 * the field. It is converted once, however many servers are created.
 */
export function announceOnly(jsonSchema: Readonly<Json>): StandardSchemaWithJSON<unknown, unknown> {
  const give = (): Json => ({ ...jsonSchema })
  return {
    '~standard': {
      version: 1,
      vendor: 'hintgate',
      validate: value => ({ value }),
      jsonSchema: { input: give, output: give },
    },
  }
}
