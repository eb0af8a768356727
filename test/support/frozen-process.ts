// Evaluating a strategy freezes the globals of its process, after which these packages can no longer be loaded.
import 'decimal.js'
import 'viem'
