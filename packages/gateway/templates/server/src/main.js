import { createToolkit } from './toolkit.js'

// Serves over stdio, or over HTTP with --http or --port. See --help.
await createToolkit().serve()
