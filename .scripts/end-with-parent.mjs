/* Loaded before every entry that bootstrap.mjs runs. */
import { endWithParent } from './parent.mjs';

endWithParent();
