import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFolder } from '../../base/create-folder.ts'
import { HintgateError } from '../../base/errors.ts'
import { showJson } from '../show/show-json.ts'
import { invalidFlag, version } from '../terminal/context.ts'
import type { Ending } from '../terminal/output.ts'

interface NewFlags {
  readonly template: string
  readonly json?: boolean
}

/** Matches a name that npm accepts for a package and every client accepts for a server. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/
const TEMPLATES = fileURLToPath(new URL('../../../templates', import.meta.url))

/** Files that have different names in this package, because npm leaves out files with the real names. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore' }

export async function runNew(name: string, { template, json }: NewFlags): Promise<Ending> {
  const folder = resolve(checkName(name))
  const filled = fillIn(join(TEMPLATES, template), { name, version: version() })
  create(folder, filled)
  const files = [...filled.keys()].toSorted()
  const next = [`cd ${name}`, 'npm install', 'npm test']
  return { out: json ? showJson({ name, template, folder, files, next }) : describe(name, folder) }
}

function checkName(name: string): string {
  if (NAME.test(name) && name !== 'node_modules') return name
  throw invalidFlag(
    'NAME',
    `${JSON.stringify(name.slice(0, 80))} is not a valid package name; use up to 64 lower-case letters, digits, dots, dashes and underscores`,
  )
}

type Files = ReadonlyMap<string, string>

function fillIn(template: string, values: Readonly<Record<string, string>>): Files {
  const entries = readdirSync(template, { recursive: true, withFileTypes: true })
  return new Map(
    entries
      .filter(entry => entry.isFile())
      .map(({ name, parentPath }) => {
        const text = readFileSync(join(parentPath, name), 'utf8')
        const filled = text.replaceAll(/\{\{(\w+)\}\}/g, (written, key: string) => values[key] ?? written)
        return [join(relative(template, parentPath), RENAMED[name] ?? name), filled]
      }),
  )
}

/** Creates the folder and its files. An existing folder is refused, so that a failed run removes only its own files. */
function create(folder: string, files: Files): void {
  let isOurs = false
  try {
    mkdirSync(folder)
    isOurs = true
    for (const [path, text] of files) {
      createFolder(dirname(join(folder, path)))
      writeFileSync(join(folder, path), text, { flag: 'wx' })
    }
  } catch (error) {
    if (isOurs) rmSync(folder, { recursive: true, force: true })
    throw refuse(folder, error)
  }
}

function refuse(folder: string, error: unknown): HintgateError {
  const { code = String(error) } = error as NodeJS.ErrnoException
  const why =
    code === 'EEXIST'
      ? `${folder} already exists and was not changed; choose another name`
      : `${folder} cannot be created: ${code}`
  return new HintgateError('flag_invalid', { flag: 'NAME', why }, { cause: error })
}

function describe(name: string, folder: string): string {
  return `Created ${folder}: an MCP server with four tools, their hints and their tests.

Next:
  cd ${name}
  npm install
  npm test        # calls every tool and checks its hints against what it does
  npm run lint    # checks the hints as a gateway does

Then write your own tools in src/toolkit.js. To use the server through a gateway:
  hintgate servers add ${name} -- node ${showPath(join(folder, 'src/main.js'))}
`
}

/** Shows a path, quoted for a shell if necessary. */
function showPath(path: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path}"`
}
