// What a server sees goes to the test, and what it should do comes back. No dependencies.
import { openSync, writeSync } from 'node:fs'
import { connect } from 'node:net'

/**
 * `line` is PORT:FILE, of a `Witness`. What is reported stands in the file when `report` returns, so that a test that has an
 * answer can read all that the server saw before it; on the port the test is told to look. `onCommand` gets what the test
 * says. Without a line nobody is told anything.
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
