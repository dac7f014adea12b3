import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface RunOptions {
  readonly stdin?: string | Buffer
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

/** Runs the real command as a new process and waits for its end. */
export function hintgate(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: { ...process.env, ...options.env },
      cwd: options.cwd,
    })
    const output = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
    child.on('error', reject)
    child.on('close', code => resolve({ code, ...output }))
    child.stdin.on('error', () => {})
    child.stdin.end(options.stdin)
  })
}
