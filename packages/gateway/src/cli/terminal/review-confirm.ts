import { createInterface } from 'node:readline'

/** Whether somebody is there to be asked. */
export function isAttended(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY
}

/** Asks on the terminal; who leaves without an answer has not agreed. */
export function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise(resolve => {
    terminal.once('close', () => resolve(false))
    terminal.question(`${question} [y/N] `, answer => {
      resolve(/^y(es)?$/i.test(answer.trim()))
      terminal.close()
    })
  })
}
