import { describeGeneralStateTests } from './general-state-tests.js'

describeGeneralStateTests(2, 4)
