package io.holdfast.example.spring;

import org.springframework.test.context.TestPropertySource;

@TestPropertySource(properties = "spring.jpa.open-in-view=true")
class OpenInViewOnTest extends OpenInViewContract {}
