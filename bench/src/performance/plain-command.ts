// The `hintgate` command from its unbundled modules, even if there is a bundle.
const modules = new URL('../../../packages/gateway/dist/cli/main.js', import.meta.url)
const { main } = (await import(modules.href)) as { main: (argv: readonly string[]) => Promise<void> }
await main(process.argv)
