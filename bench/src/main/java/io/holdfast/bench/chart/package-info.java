/** Charts as SVG: enough for lines over an axis and for bars in groups, with nothing else on the class path. */
@NullMarked
package io.holdfast.bench.chart;

import org.jspecify.annotations.NullMarked;
