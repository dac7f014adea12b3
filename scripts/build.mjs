// `npm run build`: installs and builds the product.
import { makeReady } from './ready.mjs'

await makeReady('product')
