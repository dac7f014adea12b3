// Parses the options of a script. The comment at the top of the script is also its help.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** `script` is its `import.meta.url`. Prints the help and exits with --help or an unknown option. */
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
