import { Command } from 'commander'
import type { DemoFlags } from './gateway/run-demo.ts'

const ABOUT = `
Runs a gateway with two small servers of its own, notes and mail, and prints what to paste into an MCP client. Nothing
leaves this machine. It is what hintgate does where there is no config and no command.

Example:
  $ hintgate demo --listen 127.0.0.1:0`

export function demoCommand(): Command {
  return new Command('demo')
    .description('try it: a gateway with two demo servers')
    .option('--home <folder>', 'where the demo keeps its data (default: ~/.hintgate/demo)')
    .option('-l, --listen <address>', 'host:port to listen on; port 0 takes a free one')
    .addHelpText('after', ABOUT)
    .action(async (flags: DemoFlags) => (await import('./gateway/run-demo.ts')).runDemo(flags))
}
