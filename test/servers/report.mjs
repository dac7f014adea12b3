// Reports what a server sees to the test, and receives commands. No dependencies.
import { openSync, writeSync } from 'node:fs'
import { connect } from 'node:net'

/**
 * `line` is PORT:FILE, of a `Witness`. A report is in the file when `report` returns, so that a test that has an
 * answer can read everything that the server saw before; the port tells the test to read. `onCommand` receives the
 * commands of the test. Does nothing without a line.
 */
export function createReporter(line, name, onCommand) {
  if (line === undefined) return () => {}
  const [, port, path] = /^(\d+):(.*)$/s.exec(line)
  const file = openSync(path, 'a')
  const socket = connect(Number(port), '127.0.0.1')
  socket.setNoDelay(true)
  socket.unref()
  socket.on('error', () => {})
  let rest = ''
  socket.setEncoding('utf8').on('data', text => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const command of lines) onCommand(JSON.parse(command))
  })
  const me = { server: name, pid: process.pid }
  const report = (kind, facts = {}) => {
    writeSync(file, `${JSON.stringify({ ...me, kind, ...facts })}\n`)
    socket.write(`${JSON.stringify(me)}\n`)
  }
  report('started')
  return report
}
