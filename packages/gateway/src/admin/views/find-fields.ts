import type { CatalogTool } from '../../catalog/catalog.ts'
import { isJsonObject } from '../../protocol/messages.ts'

/** Where in a tool a word was found. The index keeps only what it is worth, so the tool is looked at once more. */
export function findFields({ server, name, definition, assessment }: CatalogTool, word: string): string[] {
  const { description, inputSchema } = definition
  const properties = isJsonObject(inputSchema) ? inputSchema.properties : undefined
  const fields = {
    name: apart(name),
    title: assessment.title,
    description: typeof description === 'string' ? description : '',
    parameters: properties === undefined ? '' : apart(JSON.stringify(properties)),
    server,
    domains: assessment.effective.serviceDomains.value.join(' '),
  }
  return Object.entries(fields).flatMap(([field, text]) => (text.toLowerCase().includes(word) ? [field] : []))
}

/** `readFile` and `read_file` are two words. */
function apart(text: string): string {
  return text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}
