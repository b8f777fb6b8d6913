// Nobody stops everybody: all hostile inputs, some minutes. A few of them are in npm run test:load.
import { describeEventLoop } from '../hostile/event-loop.ts'

describeEventLoop(() => true)
