// `npm run build`: installs and builds the product, and does nothing else.
import { makeReady } from './ready.mjs'

await makeReady('product')
