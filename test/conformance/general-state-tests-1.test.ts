import { describeGeneralStateTests } from './general-state-tests.js'

describeGeneralStateTests(0, 4)
