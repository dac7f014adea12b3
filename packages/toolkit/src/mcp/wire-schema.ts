import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'

type Json = Record<string, unknown>

/**
 * A schema that the SDK announces and does not check: arguments are checked once, by us, with messages that name the
 * field. The conversion is done already, however often a server is made.
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
