import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { later } from './clean-up.ts'
import { type Finished, hintgate } from './hintgate.ts'

/** Variables that would lead a command or a client out of the test's home. */
const ELSEWHERE = [
  'XDG_CONFIG_HOME',
  'APPDATA',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'HINTGATE_CONFIG',
  'HINTGATE_SECRET_KEY',
  'HINTGATE_SECRET_KEY_FILE',
]

/** The home folder of a person with clients, and a project in it. Commands run there. */
export class ClientHome {
  readonly folder = mkdtempSync(join(tmpdir(), 'hintgate-home-'))
  readonly project = join(this.folder, 'project')
  readonly env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(ELSEWHERE.map(name => [name, undefined])),
    HOME: this.folder,
    USERPROFILE: this.folder,
  }

  constructor() {
    later(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 }))
    mkdirSync(this.project)
  }

  path(file: string): string {
    return join(this.folder, file)
  }

  put(file: string, content: string | object): string {
    const path = this.path(file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2))
    return path
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8')
  }

  hintgate(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
    return hintgate(args, { env: { ...this.env, ...env }, cwd: this.project })
  }

  /** The JSON that a command printed; throws if the command failed. */
  async json<T = unknown>(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<T> {
    // The arguments after -- belong to another program.
    const end = args.includes('--') ? args.indexOf('--') : args.length
    const { code, stdout, stderr } = await this.hintgate(args.toSpliced(end, 0, '--json'), env)
    if (code !== 0) throw new Error(`hintgate ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout) as T
  }
}
