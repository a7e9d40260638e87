/** JSON text as it stands: what the API server sent, cut out by key. */
@NullMarked
package io.setplan.rawjson;

import org.jspecify.annotations.NullMarked;
