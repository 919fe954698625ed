package io.holdfast.example.spring;

import io.holdfast.example.spring.LeaseDesk.Standing;
import java.time.Duration;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/leases/{key}")
class LeaseController {

    private final LeaseDesk desk;

    LeaseController(LeaseDesk desk) {
        this.desk = desk;
    }

    @PostMapping
    ResponseEntity<Standing> take(@PathVariable String key, @RequestParam long ttl) {
        Standing standing = desk.take(key, Duration.ofSeconds(ttl));
        return ResponseEntity.status(standing.held() ? HttpStatus.OK : HttpStatus.CONFLICT)
                .body(standing);
    }

    @GetMapping
    Standing standing(@PathVariable String key) {
        return desk.standing(key);
    }

    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void release(@PathVariable String key) {
        desk.release(key);
    }
}
