// As oracle.test.ts, for longer: a game of more operations, in which more of them meet.
import { itEqualsTheOracle } from './play.ts'

describe('statistics of a longer game', () => itEqualsTheOracle(250))
