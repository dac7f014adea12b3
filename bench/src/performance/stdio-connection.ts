import { spawn } from 'node:child_process'
import type { Era } from './answers.ts'
import type { Connection } from './connection.ts'
import { INITIALIZED, writeInitialize } from './requests.ts'
import { splitLines } from './split-lines.ts'

const ANSWER_MS = 10_000
const ID = /"id":(\d+)/

/** A direct connection to a stdio server: this process is its parent. */
export async function openStdio(command: readonly string[], era: Era): Promise<Connection> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (text: string) => void>()
  child.stdout.on(
    'data',
    splitLines(line => {
      const text = line.toString()
      const id = Number(ID.exec(text)?.[1])
      waiting.get(id)?.(text)
      waiting.delete(id)
    }),
  )

  function send(id: number, body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer')), ANSWER_MS)
      waiting.set(id, text => {
        clearTimeout(timer)
        resolve(text)
      })
      child.stdin.write(`${body}\n`)
    })
  }

  if (era === 'legacy') {
    await send(0, writeInitialize())
    child.stdin.write(`${INITIALIZED}\n`)
  }
  return {
    send: ({ id, body }) => send(id, body),
    async close() {
      child.kill()
    },
    drop: () => void child.kill(),
  }
}
