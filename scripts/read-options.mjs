// The options of a script. What stands at its head is its help: said once, it cannot be wrong in two ways.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** `script` is its `import.meta.url`. With --help, or an option that there is not, its head is shown and that is all. */
export function readOptions(script, options) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } })
    if (!values.help) return values
    console.log(headOf(script))
    process.exit(0)
  } catch (error) {
    console.error(`hintgate: ${error.message}\n\n${headOf(script)}`)
    process.exit(2)
  }
}

function headOf(script) {
  const lines = readFileSync(fileURLToPath(script), 'utf8').split('\n')
  const end = lines.findIndex(line => !line.startsWith('//'))
  return lines
    .slice(0, end)
    .map(line => line.slice(3))
    .join('\n')
}
