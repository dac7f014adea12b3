// A stdio server: node stdio.mjs --name NAME --report PORT:FILE [--era legacy|modern] [--start exit|silent|garbage]
// [--odd FILE --result FILE] [--mute METHOD] [--ignore-term] [--delay MS]. No dependencies.
import { parseArgs } from 'node:util'
import { createBehaviour } from './behaviour.mjs'
import { createReporter } from './report.mjs'

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'stdio' },
    report: { type: 'string' },
    era: { type: 'string', default: 'legacy' },
    start: { type: 'string' },
    odd: { type: 'string' },
    result: { type: 'string' },
    delay: { type: 'string', default: '0' },
    mute: { type: 'string', multiple: true },
    'ignore-term': { type: 'boolean', default: false },
  },
})

const out = line => process.stdout.write(`${line}\n`)
const reply = {
  send: message => out(JSON.stringify(message)),
  raw: out,
  bytes: part => process.stdout.write(part),
  out: message => out(JSON.stringify(message)),
}
const report = createReporter(values.report, values.name, command => behaviour.command(command))
const behaviour = createBehaviour({ era: values.era, report, options: values })

if (values['ignore-term']) process.on('SIGTERM', () => report('terminated'))
if (values.start === 'exit') {
  process.stderr.write('there is no licence key\n', () => process.exit(1))
} else if (values.start === 'garbage') {
  out('Welcome to the server!')
  out('{"half": ')
}

// A program that is downloaded or compiled first reads nothing for a while.
await new Promise(resolve => setTimeout(resolve, Number(values.delay)))

let rest = Buffer.alloc(0)
process.stdin.on('data', chunk => {
  rest = Buffer.concat([rest, chunk])
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
    const line = rest.subarray(0, end).toString('utf8')
    rest = rest.subarray(end + 1)
    if (values.start !== 'silent') behaviour.receive(line, reply)
  }
})
// Some servers ignore the end of their input, so gateways must use signals.
process.stdin.on('end', () => {
  if (!values['ignore-term']) process.exit(0)
})
if (values['ignore-term']) setInterval(() => {}, 1000)
