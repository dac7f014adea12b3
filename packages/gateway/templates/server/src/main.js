import { createToolkit } from './toolkit.js'

// Over stdio; with --http or --port over HTTP. --help says more.
await createToolkit().serve()
