// Statistics against an oracle that knows all samples and reckons the slow and obvious way; oracle.load.ts and
// npm run soak -- oracle play for longer.
import { itEqualsTheOracle } from './play.ts'

describe('statistics', () => itEqualsTheOracle(100))
