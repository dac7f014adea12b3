// The `hintgate` command from its modules, as tsc wrote them, whether or not there is a bundle.
const modules = new URL('../../../packages/gateway/dist/cli/main.js', import.meta.url)
const { main } = (await import(modules.href)) as { main: (argv: readonly string[]) => Promise<void> }
await main(process.argv)
