import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'

type Json = Record<string, unknown>

/**
 * Returns a schema that the SDK shows to clients but does not check. The toolkit checks arguments itself, with messages
 * that name the field.
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
