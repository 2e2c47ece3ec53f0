import { describeGeneralStateTests } from './general-state-tests.js'

describeGeneralStateTests(1, 4)
