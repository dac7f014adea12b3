// A line to the test: what a server sees goes to it, and what it should do comes back. No dependencies.
import { connect } from 'node:net'

/** Events are written at once; `onCommand` gets what the test says. Without a port nobody is told anything. */
export function createReporter(port, name, onCommand) {
  if (port === undefined) return () => {}
  const socket = connect(Number(port), '127.0.0.1')
  socket.setNoDelay(true)
  socket.unref()
  socket.on('error', () => {})
  let rest = ''
  socket.setEncoding('utf8').on('data', text => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onCommand(JSON.parse(line))
  })
  const report = (kind, facts = {}) =>
    socket.write(`${JSON.stringify({ server: name, pid: process.pid, kind, ...facts })}\n`)
  report('started')
  return report
}
